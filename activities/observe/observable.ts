import type { ComponentResource } from '../../adapters/hub/components.ts';
import { durationMs } from '../../domain/api/duration.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import { findCondition } from '../../domain/status/conditions.ts';
import { asStatus, isTrue } from '../../domain/status/status-change.ts';
import { isHeld } from '../pass/open-pass.ts';

/**
 * What a comparison with the inventory says about a component now: `ready` every difference is drift; `waiting` its pass
 * has applied everything and waits for workloads; `none` a pass is under way or held, so differences say nothing.
 */
export function observable(resource: ComponentResource): 'ready' | 'waiting' | 'none' {
  const status = asStatus(resource.status);
  if (resource.deleting || isHeld(resource)) return 'none';
  const about = [status.acknowledged?.generation, status.observedGeneration];
  if (about.some((known) => known !== resource.generation)) return 'none';
  if (!isTrue(status, 'TargetClusterResolved')) return 'none';
  if (isTrue(status, 'Ready')) return 'ready';
  const workloads = findCondition(status.conditions ?? [], 'DeploymentsAvailable');
  return workloads?.status === 'False' ? 'waiting' : 'none';
}

const defaultIntervalMs = 600_000;

/** `spec.drift.interval` in milliseconds; ten minutes when absent or unreadable. */
export function driftIntervalMs(resource: ComponentResource): number {
  const text = stringAt(resource.object, 'spec', 'drift', 'interval');
  const interval = text === undefined ? 0 : durationMs(text);
  return interval > 0 ? interval : defaultIntervalMs;
}
