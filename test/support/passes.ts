import { readFile } from 'node:fs/promises';

import type { Client } from '@temporalio/client';

import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { until } from '../../dev/processes/until.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import { describe } from '../../workflows/messages.ts';
import type { Component, OperatorFleet } from './operator-fleet.ts';
import { readComponent } from './operator-fleet.ts';

/** Asks for a full pass; the value must be new. */
export async function triggerPass(hub: Cluster, component: Component, value: string): Promise<void> {
  const { kind, name, namespace } = component;
  const annotation = `reconcile.knative.dev/trigger=${value}`;
  await kubectl(hub, ['annotate', kind, name, '-n', namespace, '--overwrite', annotation]);
}

/** Resolves when the pass that serves the trigger has ended with a component that is Ready. */
export async function untilPassed(
  scene: Pick<OperatorFleet, 'fleet' | 'temporal'>,
  component: Component,
  wanted: { readonly trigger: string; readonly within?: number },
): Promise<void> {
  let seen: unknown;
  await until(`the pass ${wanted.trigger} of ${component.name}`, wanted.within ?? 180_000, async () => {
    const { status } = (await readComponent(scene.fleet.hub, component)) ?? {};
    seen = status;
    const acknowledged = status?.['acknowledged'] as { trigger?: string } | undefined;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    if (!ready || acknowledged?.trigger !== wanted.trigger) return undefined;
    return (await phaseOf(scene.temporal, component)) === 'Ready' ? true : undefined;
  }).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen)}`);
  });
}

async function phaseOf(temporal: Client, { kind, name, namespace }: Component): Promise<string> {
  const id = componentWorkflowId({ kind, namespace, name }, '');
  return (await temporal.workflow.getHandle(id).query(describe)).phase;
}

export interface FailedAttempt {
  readonly component: string;
  readonly kind: string;
  readonly attempt: number;
  readonly message: string;
}

/** Every failed attempt of an activity that the worker has logged, those included that no condition shows. */
export async function failedAttempts(
  scene: Pick<OperatorFleet, 'operator'>,
): Promise<readonly FailedAttempt[]> {
  const lines = (await readFile(scene.operator.logs.worker, 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('{'));
  return lines.flatMap((line) => {
    const entry = JSON.parse(line) as {
      component?: { name: string };
      kind?: string;
      attempt?: number;
      msg?: string;
    };
    const { component, kind, attempt, msg = '' } = entry;
    if (component === undefined || kind === undefined || attempt === undefined) return [];
    return [{ component: component.name, kind, attempt, message: msg }];
  });
}
