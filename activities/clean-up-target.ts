import { heartbeat } from '@temporalio/activity';

import { formatComponentRef, parseComponentRef } from '../domain/api/component-ref.ts';
import { messageOf, OperatorError } from '../domain/errors.ts';
import type { CleanupResult, CleanupWork } from '../domain/lifecycle/pass.ts';
import type { Inventory } from '../domain/manifests/inventory.ts';
import { entryIdentity } from '../domain/manifests/inventory.ts';
import { describeIdentity } from '../domain/manifests/object.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure } from './failure.ts';
import { openRecordedTarget } from './finalize/open-recorded-target.ts';
import { openWithClaim } from './finalize/open-with-claim.ts';
import type { RemovalReport } from './finalize/removal-tally.ts';
import { describeBlocked, removeComponent } from './finalize/remove-component.ts';
import { deferredComponent } from './finalize/removed-component.ts';
import { refuseBesideGoOperator } from './pass/refuse-beside-go-operator.ts';
import { timestamp } from './pass/timestamp.ts';

/**
 * One try to finish the removal of a resource that was let go before its target was clean. Works from the mirror of the
 * inventory on the hub alone; without one that is marked, nothing is left to do. Throws while something is left, so
 * that Temporal tries again. Deletes nothing when another component owns the target now. Idempotent.
 */
export function cleanUpTarget(deps: ActivityDependencies) {
  return async (work: CleanupWork): Promise<CleanupResult> => {
    try {
      const mirror = deps.target.mirror(work.ref, work.uid);
      const inventory = await mirror.read();
      if (inventory === undefined || !(await mirror.isPending())) return nothing;
      if (work.giveUp === undefined) await refuseBesideGoOperator(deps);
      return await cleanUp(deps, work, inventory);
    } catch (error) {
      throw toApplicationFailure(error);
    }
  };
}

const nothing: CleanupResult = { outcome: 'clean', removed: 0, pending: 0 };

async function cleanUp(
  deps: ActivityDependencies,
  work: CleanupWork,
  inventory: Inventory,
): Promise<CleanupResult> {
  heartbeat('connecting to the target');
  const report = await tryToRemove(deps, work, inventory);
  const { removed, remaining } = report;
  if (remaining.length > 0) {
    if (work.giveUp === undefined) throw new OperatorError('FinalizationBlocked', describeBlocked(report));
    await giveUp(deps, work, { ...inventory, entries: remaining });
    return { outcome: 'abandoned', removed, pending: remaining.length };
  }
  const { clusterUID } = inventory.target;
  for (const message of report.kept) {
    await deps.hub.events.record(work.ref, work.uid, { type: 'Normal', reason: 'NamespaceKept', message });
  }
  await deps.hub.abandonments.settle({ uid: work.uid, clusterUID }, timestamp());
  const { owner } = report;
  if (owner === undefined) {
    const message = `the deferred removal from ${inventory.target.profile} is complete`;
    await deps.hub.events.record(work.ref, work.uid, { type: 'Normal', reason: 'Removed', message });
    return { outcome: 'clean', removed, pending: 0 };
  }
  const ours = owner.hubId === deps.hub.id && owner.hubClusterUID === (await deps.hub.clusterUID());
  return {
    outcome: 'joined',
    removed,
    pending: 0,
    owner: ours ? parseComponentRef(owner.component) : undefined,
  };
}

/** When a person gives it up, a target that cannot be used is no failure. */
async function tryToRemove(
  deps: ActivityDependencies,
  work: CleanupWork,
  inventory: Inventory,
): Promise<RemovalReport> {
  try {
    const opened = await openWithClaim(deps, work.ref.kind, (options) =>
      openRecordedTarget(deps, inventory, options),
    );
    return await removeComponent(deps, deferredComponent(work.ref, inventory), opened);
  } catch (error) {
    if (work.giveUp === undefined) throw error;
    return {
      removed: 0,
      remaining: inventory.entries,
      blockers: [messageOf(error)],
      retained: false,
      kept: [],
    };
  }
}

async function giveUp(deps: ActivityDependencies, work: CleanupWork, left: Inventory): Promise<void> {
  const { ref, uid } = work;
  const { reason = '', requestedBy = '' } = work.giveUp ?? {};
  await deps.hub.abandonments.write({
    ref,
    uid,
    profile: left.target.profile,
    server: left.target.server,
    clusterUID: left.target.clusterUID,
    installNamespace: left.installNamespace,
    why: reason,
    requestedBy,
    remaining: left.entries.map((entry) => describeIdentity(entryIdentity(entry))),
  });
  const message = `${String(left.entries.length)} objects of ${formatComponentRef(ref)} stay behind on ${left.target.profile}: ${reason}`;
  await deps.hub.events.record(ref, uid, { type: 'Warning', reason: 'Abandoned', message });
  await deps.target.mirror(ref, uid).remove();
}
