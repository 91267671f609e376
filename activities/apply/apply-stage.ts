import type { Applied } from '../../adapters/kubernetes/apply-object.ts';
import { cededFields } from '../../domain/manifests/ceded-fields.ts';
import type { AppliedObject } from '../../domain/manifests/change-set.ts';
import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import type { ManifestObject, ObjectMeta } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf, keyOf } from '../../domain/manifests/object.ts';
import { aggregationController, goOperatorManagers, wireNames } from '../../domain/api/wire-names.ts';
import type { TargetTools } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';
import { unavailableKind } from './required-kinds.ts';
import { isOutdatedJob, removeOutdatedJob } from './remove-outdated-job.ts';
import { takeOverFields } from './take-over-fields.ts';

/** What applies one object. */
interface ApplyTools {
  readonly target: Pick<TargetTools, 'applyObject'>;
  /** Only applies are sent, and the client makes them dry. */
  readonly dryRun?: boolean;
}

/** One stage: its objects and what is known about them. */
export interface StageWork {
  readonly objects: readonly ManifestObject[];
  /** The whole rendered set. */
  readonly all: readonly ManifestObject[];
  readonly entries: ReadonlyMap<string, InventoryEntry>;
  /** Identity key to the plug-in that an object came from. */
  readonly origins: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** Applies all objects of a stage at once; waits for all of them and then throws the first failure, if any. */
export async function applyStage(
  deps: ApplyTools,
  target: Pick<OpenTarget, 'client'>,
  work: StageWork,
): Promise<readonly AppliedObject[]> {
  const results = await Promise.allSettled(
    work.objects.map((object) => applyOne(deps, target, { ...work, object })),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

type ObjectWork = StageWork & { readonly object: ManifestObject };

async function applyOne(
  deps: ApplyTools,
  target: Pick<OpenTarget, 'client'>,
  work: ObjectWork,
): Promise<AppliedObject> {
  const { object } = work;
  const entry = work.entries.get(keyOf(object));
  const adopted = entry?.adopted === true;
  const body = adopted ? withoutOwner(object) : object;
  const applied = await applyWithCause(deps, target, { ...work, object: body });
  refuseTerminating(object, applied.metadata);
  const change = applied.created ? 'created' : changeOf(entry, applied.metadata);
  if (adopted || applied.created || !isOlder(applied.metadata, entry)) {
    const { metadata } = await takeOver(deps, target, { ...work, object: body }, applied);
    return { object, change, metadata, adopted };
  }
  const again = await applyWithCause(deps, target, { ...work, object: withoutOwner(object) });
  return { object, change: 'changed', metadata: again.metadata, adopted: true };
}

async function applyWithCause(
  deps: ApplyTools,
  target: Pick<OpenTarget, 'client'>,
  work: ObjectWork,
): Promise<Applied> {
  const { object, signal } = work;
  const ceded = cededFields(object, work.all);
  const entry = work.entries.get(keyOf(object));
  const recorded = entry?.fields;
  const apply = () => deps.target.applyObject(target.client, object, { ceded, recorded, signal });
  try {
    return await apply();
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) {
      throw unavailableKind(object, work.origins, target.client.server);
    }
    if (deps.dryRun === true || !isOutdatedJob(object, error)) throw error;
    await removeOutdatedJob(target.client, object, error, { signal, recordedUID: entry?.uid });
    return apply();
  }
}

/** What the Go operator had set and nobody wants any more must not stay for ever. */
function takeOver(
  deps: ApplyTools,
  target: Pick<OpenTarget, 'client'>,
  work: ObjectWork,
  applied: Applied,
): Promise<Applied> {
  if (deps.dryRun === true) return Promise.resolve(applied);
  const ceded = cededFields(work.object, work.all);
  return takeOverFields(target.client, { object: work.object, ceded, applied }, () =>
    applyWithCause(deps, target, work),
  );
}

/** The object was there before we first meant to write it, and neither we nor the Go operator made it. */
function isOlder(metadata: ObjectMeta, entry: InventoryEntry | undefined): boolean {
  if (entry === undefined || metadata.creationTimestamp === undefined) return false;
  if (entry.uid !== undefined || metadata.creationTimestamp >= entry.since) return false;
  if (metadata.annotations?.[wireNames.goOperatorAnnotation] !== undefined) return false;
  if (entry.aggregated === true && isAggregationRemnant(metadata)) return false;
  return !(metadata.managedFields ?? []).some((field) => isOperatorManager(field.manager, field.time, entry));
}

/** What the aggregation controller brought back of an earlier installation belongs to nobody else. */
function isAggregationRemnant(metadata: ObjectMeta): boolean {
  const managers = (metadata.managedFields ?? []).map((field) => field.manager);
  return managers.every((name) => name === aggregationController || name === wireNames.fieldManager);
}

function isOperatorManager(manager = '', time = '', entry: InventoryEntry): boolean {
  if (goOperatorManagers.has(manager)) return true;
  return manager === wireNames.fieldManager && time !== '' && time < entry.since;
}

function changeOf(entry: InventoryEntry | undefined, metadata: ObjectMeta): 'changed' | 'unchanged' {
  return entry?.uid === metadata.uid && entry?.uid !== undefined ? 'unchanged' : 'changed';
}

function withoutOwner(object: ManifestObject): ManifestObject {
  const { ownerReferences: _owner, annotations, ...metadata } = object.metadata;
  const { [wireNames.ownerAnnotation]: _mark, ...kept } = annotations ?? {};
  return { ...object, metadata: { ...metadata, annotations: kept } };
}

function refuseTerminating(object: ManifestObject, metadata: ObjectMeta): void {
  if (metadata.deletionTimestamp === undefined) return;
  throw new OperatorError(
    object.kind === 'Namespace' ? 'NamespaceTerminating' : 'ApiTransient',
    `${describeIdentity(identityOf(object))} is being deleted; it is applied again when it is gone`,
  );
}
