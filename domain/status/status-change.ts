import type { ErrorKind } from '../errors.ts';
import type { TargetIdentity } from '../lifecycle/component-state.ts';
import type { Condition, Conditions, DependentCondition } from './conditions.ts';
import {
  findCondition,
  initializeConditions,
  markFalse,
  markTrue,
  removeCondition,
  setInformational,
} from './conditions.ts';
import { failureReasons } from './reasons.ts';

/** The status of a resource as far as this software writes it; everything else in it is kept. */
export interface ComponentStatus {
  readonly observedGeneration?: number;
  readonly conditions?: Conditions;
  readonly version?: string;
  readonly manifests?: readonly string[];
  readonly targetCluster?: string;
  readonly targetNamespace?: string;
  readonly target?: StatusTarget;
  readonly unverifiedSince?: string;
  readonly acknowledged?: Acknowledged;
  readonly [field: string]: unknown;
}

/** Where the component is installed: written before the first write to a target, chosen once. */
export interface StatusTarget {
  readonly clusterUID: string;
  readonly server: string;
  readonly installNamespace: string;
  readonly profile: string;
  readonly provider?: string;
  readonly anchorUID?: string;
}

/** Which wishes of the hub a pass has already served; the starter signals whatever differs. */
export interface Acknowledged {
  readonly generation?: number;
  readonly trigger?: string;
}

/** Reads any object as a status; a status is written by this software and the Go operator only. */
export function asStatus(status: Readonly<Record<string, unknown>>): ComponentStatus {
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as Condition[]) : [];
  return { ...status, conditions };
}

/**
 * The first write of a pass: initial conditions. While the installation of an earlier generation is what
 * InstallSucceeded tells of, that one stays the observed generation.
 */
export function beginPass(status: ComponentStatus, generation: number, now: string): ComponentStatus {
  const conditions = removeCondition(initializeConditions(status.conditions ?? [], now), 'Finalizing');
  const begun = { ...status, conditions };
  return isTrue(begun, 'InstallSucceeded') ? begun : observe(begun, generation);
}

/**
 * From here on the conditions are about this generation. Who waits for Ready at the newest one must not see it before
 * that is installed, so Ready has to be out of reach of everything but `installed` by now. Never goes back.
 */
function observe(status: ComponentStatus, generation: number): ComponentStatus {
  return { ...status, observedGeneration: Math.max(generation, status.observedGeneration ?? 0) };
}

/** A pass serves this generation and this trigger; the starter need not announce them again. */
export function acknowledge(status: ComponentStatus, served: Acknowledged): ComponentStatus {
  return { ...status, acknowledged: { ...status.acknowledged, ...served } };
}

/** The target answers and may be used. */
export function targetResolved(status: ComponentStatus, now: string): ComponentStatus {
  const { unverifiedSince: _verified, ...rest } = status;
  return mark(rest, 'TargetClusterResolved', now);
}

export function recordTarget(
  status: ComponentStatus,
  target: TargetIdentity,
  more: { provider: string; anchorUID?: string },
): ComponentStatus {
  const { clusterUID, server, installNamespace, profile } = target;
  const known = status.target?.clusterUID === clusterUID ? status.target.anchorUID : undefined;
  const anchorUID = more.anchorUID ?? known;
  return {
    ...status,
    targetCluster: profile,
    targetNamespace: installNamespace,
    target: {
      clusterUID,
      server,
      installNamespace,
      profile,
      ...(more.provider === '' ? {} : { provider: more.provider }),
      ...(anchorUID === undefined ? {} : { anchorUID }),
    },
  };
}

/** The component is on no cluster any more: what is known of the former one goes. */
export function forgetTarget(status: ComponentStatus): ComponentStatus {
  const { target: _target, version: _version, manifests: _manifests, ...rest } = status;
  return rest;
}

export function mark(status: ComponentStatus, type: DependentCondition, now: string): ComponentStatus {
  return { ...status, conditions: markTrue(status.conditions ?? [], type, now) };
}

/** Everything of a generation is applied: marks DeploymentsAvailable False with the names that are waited for. */
export function waitingOn(
  status: ComponentStatus,
  waiting: { readonly generation: number; readonly names: readonly string[] },
  now: string,
): ComponentStatus {
  const message = `Waiting on deployments: ${waiting.names.join(', ')}`;
  const conditions = markFalse(
    status.conditions ?? [],
    { type: 'DeploymentsAvailable', reason: 'NotReady', message },
    now,
  );
  return observe({ ...status, conditions }, waiting.generation);
}

/** The last write of a pass: everything is installed and ready. */
export function installed(
  status: ComponentStatus,
  done: { generation: number; version: string },
  now: string,
): ComponentStatus {
  let conditions = status.conditions ?? [];
  for (const type of ['DeploymentsAvailable', 'InstallSucceeded', 'DependenciesInstalled'] as const) {
    conditions = markTrue(conditions, type, now);
  }
  // A wish for a pass that came in the middle of this one is not served by it.
  const served = { generation: done.generation };
  const resolved = targetResolved({ ...status, conditions }, now);
  return acknowledge(observe({ ...resolved, version: done.version }, done.generation), served);
}

const conditionPrefix = {
  InstallSucceeded: 'Install failed with message: ',
  VersionMigrationEligible: 'Version migration is not eligible with message: ',
  TargetClusterResolved: '',
} as const;

/**
 * Shows a failure in the condition that its kind belongs to; kinds without a condition change nothing. With the
 * generation that could not be installed, that one is observed.
 */
export function showFailure(
  status: ComponentStatus,
  failure: { readonly kind: ErrorKind; readonly message: string; readonly generation?: number },
  now: string,
): ComponentStatus {
  const declaration = failureReasons[failure.kind];
  if (declaration.condition === 'none') return status;
  const type = declaration.condition;
  const message = `${conditionPrefix[type]}${failure.message}`;
  const conditions = markFalse(
    initializeConditions(status.conditions ?? [], now),
    { type, reason: declaration.reason, message },
    now,
  );
  const shown = { ...status, conditions };
  if (type === 'TargetClusterResolved') return { ...shown, unverifiedSince: status.unverifiedSince ?? now };
  if (type !== 'InstallSucceeded' || failure.generation === undefined) return shown;
  return observe(shown, failure.generation);
}

/** Whether a condition is True now, so that a first failure may be a blip that needs no showing yet. */
export function isTrue(status: ComponentStatus, type: string): boolean {
  return findCondition(status.conditions ?? [], type)?.status === 'True';
}

/** Progress of a finalization, present only while the resource is being deleted. */
export function finalizing(
  status: ComponentStatus,
  progress: { reason: string; message: string },
  now: string,
): ComponentStatus {
  const condition = { type: 'Finalizing', status: 'True', ...progress } as const;
  return { ...status, conditions: setInformational(status.conditions ?? [], condition, now) };
}
