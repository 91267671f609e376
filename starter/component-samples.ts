import type { ComponentResource } from '../adapters/hub/components.ts';
import type { ComponentSample } from '../adapters/telemetry/metrics/component-metrics.ts';
import { asStatus } from '../domain/status/status-change.ts';
import { profileOf } from './profile-of.ts';

/** What metrics show of a resource. */
export function componentSample(resource: ComponentResource): ComponentSample {
  const status = asStatus(resource.status);
  return {
    ref: resource.ref,
    spoke: profileOf(resource) ?? '',
    version: typeof status.version === 'string' ? status.version : '',
    conditions: status.conditions ?? [],
    unverifiedSince: status.unverifiedSince,
    deletionTimestamp: resource.object.metadata.deletionTimestamp,
  };
}
