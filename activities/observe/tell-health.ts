import type { ComponentResource } from '../../adapters/hub/components.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import { findCondition } from '../../domain/status/conditions.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Reasons that an answering target does not end. */
const unrelated: ReadonlySet<string> = new Set([
  'TargetClusterConflict',
  'TargetClusterChanged',
  'Paused',
  'GoOperatorActive',
]);

/** Wakes the components that are shown as unable to use their target, now that it answers. */
export async function tellBack(
  deps: ActivityDependencies,
  resources: readonly ComponentResource[],
): Promise<void> {
  const waiting = resources.filter((resource) => {
    const { status, reason } = targetCondition(resource);
    return status === 'False' && !unrelated.has(reason);
  });
  await tell(deps, waiting);
}

/** Lets the components look for themselves that still take a target for usable that is not. */
export async function tellAway(
  deps: ActivityDependencies,
  resources: readonly ComponentResource[],
  error: unknown,
): Promise<void> {
  const away = isOperatorError(error) && failureReasons[error.kind].condition === 'TargetClusterResolved';
  if (away)
    await tell(
      deps,
      resources.filter((resource) => targetCondition(resource).status === 'True'),
    );
}

function targetCondition({ status }: ComponentResource): { status: string; reason: string } {
  const found = findCondition(asStatus(status).conditions ?? [], 'TargetClusterResolved');
  return { status: found?.status ?? '', reason: found?.reason ?? '' };
}

async function tell(deps: ActivityDependencies, resources: readonly ComponentResource[]): Promise<void> {
  for (const { ref, deleting } of resources) {
    if (deleting) continue;
    await deps.signals.healthChanged(ref).catch((error: unknown) => {
      deps.log.warn({ component: ref }, `the workflow could not be woken: ${messageOf(error)}`);
    });
  }
}
