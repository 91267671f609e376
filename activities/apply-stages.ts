import { Context, heartbeat } from '@temporalio/activity';

import { isOperatorError, OperatorError } from '../domain/errors.ts';
import type { ApplyResult, InstallInput } from '../domain/lifecycle/pass.ts';
import { summarizeChanges } from '../domain/manifests/change-set.ts';
import type { AppliedObject } from '../domain/manifests/change-set.ts';
import type { InventoryEntry } from '../domain/manifests/inventory.ts';
import { entryKey, obsoleteEntries } from '../domain/manifests/inventory.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { groupByStage } from '../domain/manifests/stages.ts';
import type { Stage } from '../domain/manifests/stages.ts';
import { asStatus } from '../domain/status/status-change.ts';
import { createDeadline } from './pass/deadline.ts';
import { ownerOf } from './pass/owner-of.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { establishedKinds } from './apply/established-kinds.ts';
import type { EstablishedKinds } from './apply/established-kinds.ts';
import { applyStage } from './apply/apply-stage.ts';
import { nameAnchor } from './apply/name-anchor.ts';
import { isFinishedJob } from './apply/template-digest.ts';
import { requireKinds } from './apply/required-kinds.ts';
import { recordApplied } from './apply/record-applied.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import type { OpenTarget } from './pass/open-target.ts';
import { owned, planAgain } from './pass/planned-objects.ts';
import { reporting } from './pass/reporting.ts';
import { inventoryCopies } from './pass/write-inventory.ts';

/** A write attempt drops what it has queued this long after its start; a worker cut off from Temporal may be one. */
const attemptLimitMs = 120_000;

/**
 * Applies the planned objects stage by stage with server-side apply, many in flight inside a stage, and records UIDs
 * and owned fields in the inventory. Safe to repeat and to run twice at once: apply is idempotent. Stops before its next write when
 * it is cancelled.
 */
export function applyStages(deps: ActivityDependencies) {
  return async (input: InstallInput): Promise<ApplyResult> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const planned = await planAgain(deps, resource, input.plan.digest);
      const target = await openTarget(deps, resource);
      // The first try applied what it could; to send all of it again helps nobody while a kind is missing.
      if (Context.current().info.attempt > 1) await requireKinds(target.client, planned);
      const copies = inventoryCopies(deps, target, input);
      const inventory = await copies.target.readOwn();
      if (inventory?.uid !== input.uid) {
        throw new OperatorError(
          'PlanChanged',
          'the inventory on the target is not the one that this pass wrote',
        );
      }
      const known = [...inventory.entries, ...(inventory.kept ?? [])];
      const entries = new Map(known.map((entry) => [entryKey(entry), entry]));
      const owner = ownerOf(resource, target, input.claim.anchorUID);
      const objects = owned(planned.objects, owner, input.uid).filter(
        (object) => !isFinishedJob(object, entries),
      );
      const { anchorUID } = input.claim;
      const naming = nameAnchor(deps.target.claims(target.client), input);
      naming.catch(() => undefined);
      const applied = await applyAll(deps, target, { objects, entries, origins: planned.origins });
      await naming;
      await recordApplied(copies, { inventory, applied, all: planned.objects, anchorUID });
      await deps.hub.components.updateStatus(input.ref, input.uid, (found) => ({
        ...asStatus(found),
        manifests: planned.manifests,
      }));
      const obsolete = obsoleteEntries(inventory.entries, planned.objects).length;
      return { ...summarizeChanges(applied), obsolete };
    });
}

interface ApplyWork {
  readonly objects: readonly ManifestObject[];
  readonly entries: ReadonlyMap<string, InventoryEntry>;
  readonly origins: ReadonlyMap<string, string>;
}

async function applyAll(
  deps: ActivityDependencies,
  target: OpenTarget,
  work: ApplyWork,
): Promise<readonly AppliedObject[]> {
  const deadline = createDeadline(attemptLimitMs);
  const ended = new AbortController();
  const signal = AbortSignal.any([deadline.signal, ended.signal, Context.current().cancellationSignal]);
  const applied: AppliedObject[] = [];
  let kinds: EstablishedKinds | undefined;
  let stageName = '';
  try {
    for (const stage of groupByStage(work.objects)) {
      stageName = stage.name;
      heartbeat({ stage: stage.name, applied: applied.length, total: work.objects.length });
      if (stage.afterDefinitions) await kinds?.of(stage.objects);
      const results = await applyStage(deps, target, {
        ...work,
        all: work.objects,
        objects: stage.objects,
        signal,
      });
      applied.push(...results);
      if (stage.definitions.length > 0) kinds = establish(target, { stage, results, signal });
    }
    await kinds?.all;
    return applied;
  } catch (error) {
    if (deadline.signal.aborted && !isOperatorError(error)) {
      throw new OperatorError(
        'ApiTransient',
        `stage ${stageName} took longer than ${String(attemptLimitMs / 1000)} s on ${target.identity.server}; it continues`,
      );
    }
    throw error;
  } finally {
    deadline.end();
    ended.abort();
  }
}

function establish(
  { client }: OpenTarget,
  work: {
    readonly stage: Stage;
    readonly results: readonly AppliedObject[];
    readonly signal: AbortSignal;
  },
): EstablishedKinds {
  const created = work.results.some(
    ({ object, change }) => change === 'created' && object.kind === 'CustomResourceDefinition',
  );
  return establishedKinds(client, { crds: work.stage.definitions, created }, work.signal);
}
