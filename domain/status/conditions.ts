/** A status condition in the Knative form. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly severity?: string;
  readonly lastTransitionTime?: string;
}

/** The conditions that Ready depends on. Wire names: add, never rename. */
export const dependentConditions = [
  'DependenciesInstalled',
  'DeploymentsAvailable',
  'InstallSucceeded',
  'TargetClusterResolved',
  'VersionMigrationEligible',
] as const;

export type DependentCondition = (typeof dependentConditions)[number];

/** Conditions that say something beside Ready; `Finalizing` is present only while a resource is being deleted. */
export type InformationalCondition = 'Finalizing';

export type Conditions = readonly Condition[];

/**
 * Adds what is missing: Ready as Unknown; dependents as Unknown, or as True on a resource that is Ready already, so
 * that a resource made Ready by an older operator stays Ready.
 */
export function initializeConditions(conditions: Conditions, now: string): Conditions {
  const ready = find(conditions, 'Ready');
  const status = ready?.status === 'True' ? 'True' : 'Unknown';
  let result = ready === undefined ? put(conditions, { type: 'Ready', status: 'Unknown' }, now) : conditions;
  for (const type of dependentConditions) {
    if (find(result, type) === undefined) result = put(result, { type, status }, now);
  }
  return result;
}

/** Marks a dependent True and derives Ready again. */
export function markTrue(conditions: Conditions, type: DependentCondition, now: string): Conditions {
  return recomputeReady(put(conditions, { type, status: 'True' }, now), now);
}

/** Marks the installation successful, and its dependencies with it unless somebody said otherwise. */
export function markInstallSucceeded(conditions: Conditions, now: string): Conditions {
  const marked = markTrue(conditions, 'InstallSucceeded', now);
  const dependencies = find(marked, 'DependenciesInstalled')?.status ?? 'Unknown';
  return dependencies === 'Unknown' ? markTrue(marked, 'DependenciesInstalled', now) : marked;
}

/** Marks a dependent False; Ready follows with the same reason and message. */
export function markFalse(
  conditions: Conditions,
  mark: { type: DependentCondition; reason: string; message: string },
  now: string,
): Conditions {
  const { type, reason, message } = mark;
  const marked = put(conditions, { type, status: 'False', reason, message }, now);
  return put(marked, { type: 'Ready', status: 'False', reason, message }, now);
}

/** Marks a dependent Unknown; Ready follows, unless a dependent is False: then Ready is False and stays what it was. */
export function markUnknown(
  conditions: Conditions,
  mark: { type: DependentCondition; reason: string; message: string },
  now: string,
): Conditions {
  const { type, reason, message } = mark;
  const marked = put(conditions, { type, status: 'Unknown', reason, message }, now);
  if (!marked.some((condition) => isDependent(condition.type) && condition.status === 'False')) {
    return put(marked, { type: 'Ready', status: 'Unknown', reason, message }, now);
  }
  if (find(marked, 'Ready')?.status === 'False') return marked;
  return put(marked, { type: 'Ready', status: 'False', reason, message }, now);
}

/** Sets a condition that Ready does not depend on. */
export function setInformational(
  conditions: Conditions,
  condition: Condition & { readonly type: InformationalCondition },
  now: string,
): Conditions {
  return put(conditions, condition, now);
}

export function removeCondition(conditions: Conditions, type: InformationalCondition): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}

export function findCondition(conditions: Conditions, type: string): Condition | undefined {
  return find(conditions, type);
}

function recomputeReady(conditions: Conditions, now: string): Conditions {
  const dependents = conditions
    .filter((condition) => isDependent(condition.type))
    .toSorted((a, b) => transitionMs(b) - transitionMs(a));
  const decisive =
    dependents.find((condition) => condition.status === 'False') ??
    dependents.find((condition) => condition.status === 'Unknown');
  if (decisive !== undefined) {
    const { status, reason, message } = decisive;
    return put(conditions, { type: 'Ready', status, ...optional({ reason, message }) }, now);
  }
  const status = dependents.length < dependentConditions.length ? 'Unknown' : 'True';
  return put(conditions, { type: 'Ready', status }, now);
}

/** A condition without a time counts as the oldest. */
function transitionMs(condition: Condition): number {
  const time = Date.parse(condition.lastTransitionTime ?? '');
  return Number.isNaN(time) ? 0 : time;
}

function isDependent(type: string): boolean {
  return (dependentConditions as readonly string[]).includes(type);
}

function find(conditions: Conditions, type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Stores a condition sorted by type; an equal one keeps its transition time. */
function put(conditions: Conditions, wanted: Condition, now: string): Conditions {
  const known = find(conditions, wanted.type);
  if (known !== undefined && isSame(known, wanted)) return conditions;
  const others = conditions.filter((condition) => condition.type !== wanted.type);
  return [...others, { ...wanted, lastTransitionTime: now }].toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    (a.reason ?? '') === (b.reason ?? '') &&
    (a.message ?? '') === (b.message ?? '') &&
    (a.severity ?? '') === (b.severity ?? '')
  );
}

function optional(fields: { reason: string | undefined; message: string | undefined }): {
  reason?: string;
  message?: string;
} {
  return {
    ...(fields.reason === undefined ? {} : { reason: fields.reason }),
    ...(fields.message === undefined ? {} : { message: fields.message }),
  };
}
