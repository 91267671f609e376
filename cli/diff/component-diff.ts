import type { ComponentResource } from '../../adapters/hub/components.ts';
import { targetInventory } from '../../adapters/target/inventory-store.ts';
import { isFinishedJob } from '../../activities/apply/template-digest.ts';
import type { OpenTarget } from '../../activities/pass/open-target.ts';
import { ownerOf } from '../../activities/pass/owner-of.ts';
import { owned } from '../../activities/pass/planned-objects.ts';
import type { PlannedRelease } from '../../activities/plan/planner.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';
import { entryIdentity, entryKey, obsoleteEntries } from '../../domain/manifests/inventory.ts';
import { describeIdentity } from '../../domain/manifests/object.ts';
import { dryRun } from './dry-run.ts';
import type { ObjectDifference } from './object-difference.ts';
import { differenceOf } from './object-difference.ts';

export interface ComponentDiff {
  readonly differences: readonly ObjectDifference[];
  readonly unchanged: number;
}

/** What a pass would do to the target now: every wanted object as a dry run, and what would be removed. */
export async function diffComponent(
  resource: ComponentResource,
  target: OpenTarget,
  planned: PlannedRelease,
): Promise<ComponentDiff> {
  const read = await targetInventory(target.client, resource.ref).read();
  const inventory = read?.uid === resource.uid ? read : undefined;
  const entries = new Map((inventory?.entries ?? []).map((entry) => [entryKey(entry), entry]));
  const owner = ownerOf(resource, target, anchorUID(resource, inventory));
  const objects = owned(planned.objects, owner, resource.uid).filter(
    (object) => !isFinishedJob(object, entries),
  );
  const work = { all: objects, entries, origins: planned.origins, signal: new AbortController().signal };
  const found = await Promise.all(
    objects.map(async (object): Promise<ObjectDifference | undefined> => {
      const result = await dryRun(target.client, { ...work, object });
      if (result.outcome === 'applied') return differenceOf(result.live, result.wanted);
      return { object: nameOf(object), change: 'failed', diff: result.why };
    }),
  );
  const differences = found.filter((difference) => difference !== undefined);
  const removed = obsoleteEntries(inventory?.entries ?? [], planned.objects).map(
    (entry): ObjectDifference => ({
      object: describeIdentity(entryIdentity(entry)),
      change: 'remove',
      diff: '',
    }),
  );
  return {
    differences: [...differences, ...removed],
    unchanged: objects.length - differences.length,
  };
}

/** Before the first pass there is no anchor yet: every object is created then anyway. */
function anchorUID(resource: ComponentResource, inventory: Inventory | undefined): string {
  return stringAt(resource.status, 'target', 'anchorUID') ?? inventory?.anchorUID ?? 'not-made-yet';
}

function nameOf(object: { kind: string; metadata: { namespace?: string; name?: string } }): string {
  const { namespace = '', name = '' } = object.metadata;
  return describeIdentity({ group: '', kind: object.kind, namespace, name });
}
