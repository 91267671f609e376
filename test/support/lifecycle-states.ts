import type { ComponentState, FailureView, WorkStep } from '../../domain/lifecycle/component-state.ts';
import { initialState } from '../../domain/lifecycle/component-state.ts';
import type { ErrorKind } from '../../domain/errors.ts';

export const target = {
  clusterUID: 'cluster-1',
  server: 'https://spoke-1.test',
  kubernetesVersion: 'v1.34.0',
  profile: 'fleet/spoke-1',
  installNamespace: 'knative-serving',
} as const;

export const plan = { version: '1.23.0', digest: 'sha256:1', objects: 3, warnings: [] } as const;

export const command = { name: 'suspend', requestedBy: 'ann', reason: 'freeze' } as const;

export const force = { name: 'forceCleanup', requestedBy: 'ann', reason: 'spoke is lost' } as const;

/** A component of generation 1 that nothing has been done for, with what a case is about. */
export function stateWith(fields: Partial<ComponentState> = {}): ComponentState {
  return { ...initialState('uid-1', 1), ...fields };
}

/** A component that is installed and has nothing to do. */
export function readyState(fields: Partial<ComponentState> = {}): ComponentState {
  return stateWith({ readyGeneration: 1, target, plan, claim: { anchorUID: 'anchor-1' }, ...fields });
}

export function failureOf(kind: ErrorKind, step: WorkStep = 'apply', since = 1_000): FailureView {
  return { kind, step, message: `${kind} in ${step}`, since };
}

export function finalizationWith(
  outcome: 'running' | 'clean' | 'abandoned' | 'retained',
): NonNullable<ComponentState['finalization']> {
  return { since: 1_000, removed: 4, pending: 0, blockers: [], outcome };
}
