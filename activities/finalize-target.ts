import { Context, heartbeat } from '@temporalio/activity';

import type { ComponentResource } from '../adapters/hub/components.ts';
import { isOperatorError, messageOf, OperatorError } from '../domain/errors.ts';
import type { ErrorKind } from '../domain/errors.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { forceCleanupReason } from '../domain/lifecycle/acknowledgement.ts';
import type { FinalizeInput, FinalizeResult } from '../domain/lifecycle/pass.ts';
import { failureReasons } from '../domain/status/reasons.ts';
import { asStatus, finalizing, showFailure, targetResolved } from '../domain/status/status-change.ts';
import type { ComponentStatus } from '../domain/status/status-change.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure, failureView } from './failure.ts';
import { abandonFormerCluster, isAcceptedInstead } from './finalize/abandon-former-cluster.ts';
import { deadlineOf, deadlinePassed } from './finalize/deadline.ts';
import { openWithClaim } from './finalize/open-with-claim.ts';
import type { TargetWithClaim } from './finalize/open-with-claim.ts';
import { deferRemoval, markPending, mayDefer } from './finalize/defer-removal.ts';
import { recordRemaining } from './finalize/record-remaining.ts';
import type { RemovalReport } from './finalize/removal-tally.ts';
import { describeBlocked, removeComponent } from './finalize/remove-component.ts';
import { removedComponent } from './finalize/removed-component.ts';
import { refuseWhenPaused } from './pass/open-pass.ts';
import type { OpenTarget } from './pass/open-target.ts';
import { openTarget } from './pass/open-target.ts';
import { refuseBesideGoOperator } from './pass/refuse-beside-go-operator.ts';
import { timestamp } from './pass/timestamp.ts';

/** Together they keep the result under 2 kB. */
const maxBlockers = 10;
const maxBlocker = 150;

/**
 * One try to remove everything in the inventory from the target, and to verify that it is gone. Throws while something
 * is left, so that Temporal tries again; condition Finalizing says what remains and who blocks it. A forced cleanup, or
 * one whose deadline has passed, removes what answers now, records the rest and gives it up; with policy Deferred the
 * resource is let go after a few tries, and the removal goes on without it. Refuses a resource that nobody is deleting.
 */
export function finalizeTarget(deps: ActivityDependencies) {
  return async (input: FinalizeInput): Promise<FinalizeResult> => {
    const resource = await deps.hub.components.read(input.ref).catch((error: unknown) => {
      throw toApplicationFailure(error);
    });
    if (resource === undefined || resource.uid !== input.uid) return nothing;
    try {
      return await finalize(deps, resource, input);
    } catch (error) {
      if (Context.current().cancellationSignal.aborted) throw error;
      await showBlocked(deps, resource, error);
      throw toApplicationFailure(error, { dueAt: deadlineOf(resource) });
    }
  };
}

const nothing: FinalizeResult = { outcome: 'clean', removed: 0, pending: 0, blockers: [] };

async function finalize(
  deps: ActivityDependencies,
  resource: ComponentResource,
  input: FinalizeInput,
): Promise<FinalizeResult> {
  if (!resource.deleting) {
    throw new OperatorError('Superseded', `${resource.ref.name} is not being deleted; nothing was removed`);
  }
  if (asStatus(resource.status).target === undefined) return nothing;
  const force = input.force ?? forcedByAnnotation(resource) ?? deadlinePassed(resource, new Date());
  if (force === undefined) {
    refuseWhenPaused(resource);
    await refuseBesideGoOperator(deps);
  }
  heartbeat('connecting to the target');
  return force === undefined ? removeOrDefer(deps, resource) : removeByForce(deps, resource, force);
}

async function removeOrDefer(
  deps: ActivityDependencies,
  resource: ComponentResource,
): Promise<FinalizeResult> {
  try {
    const opened = await openClaimed(deps, resource);
    const { target } = opened;
    if (isAcceptedInstead(resource, target)) return await leaveBehind(deps, resource, target);
    const report = await removeComponent(deps, removedComponent(resource), opened);
    await tellKept(deps, resource, report);
    if (report.remaining.length === 0) return done(report);
    throw new OperatorError('FinalizationBlocked', describeBlocked(report));
  } catch (error) {
    if (!mayDefer(resource, error)) throw error;
    return deferRemoval(deps, resource, messageOf(error));
  }
}

function openClaimed(deps: ActivityDependencies, resource: ComponentResource): Promise<TargetWithClaim> {
  return openWithClaim(deps, resource.ref.kind, (options) => openTarget(deps, resource, options));
}

/** A person accepted another cluster in place of the one that holds the component. */
async function leaveBehind(
  deps: ActivityDependencies,
  resource: ComponentResource,
  target: OpenTarget,
): Promise<FinalizeResult> {
  const pending = await abandonFormerCluster(deps, resource, target);
  return { outcome: 'abandoned', removed: 0, pending, blockers: [] };
}

type Force = NonNullable<FinalizeInput['force']>;

/** With policy Deferred, what is given up for now is removed when the target is back. */
async function removeByForce(
  deps: ActivityDependencies,
  resource: ComponentResource,
  force: Force,
): Promise<FinalizeResult> {
  const report = await removeWhatAnswers(deps, resource);
  const { removed, remaining } = report;
  await tellKept(deps, resource, report);
  if (remaining.length === 0) return done(report);
  await recordRemaining(deps, resource, { ...force, remaining });
  if (removedComponent(resource).policy === 'Deferred') await markPending(deps, resource, remaining);
  const blockers = report.blockers.slice(0, maxBlockers).map((blocker) => blocker.slice(0, maxBlocker));
  return { outcome: 'abandoned', removed, pending: remaining.length, blockers };
}

/** Namespaces that we made and that stay, because something foreign is in them. */
async function tellKept(
  deps: ActivityDependencies,
  { ref, uid }: ComponentResource,
  report: RemovalReport,
): Promise<void> {
  for (const message of report.kept) {
    await deps.hub.events.record(ref, uid, { type: 'Normal', reason: 'NamespaceKept', message });
  }
}

function done({ retained, removed }: RemovalReport): FinalizeResult {
  return { outcome: retained ? 'retained' : 'clean', removed, pending: 0, blockers: [] };
}

/** A forced cleanup holds although the workflow that recorded it was lost, or nobody told the workflow. */
function forcedByAnnotation(resource: ComponentResource): Force | undefined {
  const annotation = resource.annotations[wireNames.forceCleanupAnnotation];
  const reason = forceCleanupReason(annotation, resource.uid);
  return reason === undefined || reason === ''
    ? undefined
    : { reason, requestedBy: 'annotation on the resource' };
}

/** A target that cannot be used is no failure here: everything that is recorded for it remains. */
async function removeWhatAnswers(
  deps: ActivityDependencies,
  resource: ComponentResource,
): Promise<RemovalReport> {
  try {
    const opened = await openClaimed(deps, resource);
    if (isAcceptedInstead(resource, opened.target)) {
      throw new OperatorError('TargetClusterChanged', 'another cluster was accepted in its place');
    }
    return await removeComponent(deps, removedComponent(resource), opened);
  } catch (error) {
    const mirror = await deps.target.mirror(resource.ref, resource.uid).read();
    const remaining = mirror?.entries ?? [];
    return { removed: 0, remaining, blockers: [messageOf(error)], retained: false, kept: [] };
  }
}

async function showBlocked(
  deps: ActivityDependencies,
  resource: ComponentResource,
  error: unknown,
): Promise<void> {
  const { kind, message } = failureView(error);
  const reason = kind === 'Paused' ? 'Paused' : 'Blocked';
  try {
    const wrote = await deps.hub.components.updateStatus(resource.ref, resource.uid, (found) => {
      const now = timestamp();
      const status = withTarget(asStatus(found), { kind, message }, now);
      return finalizing(status, { reason, message: `${kind}: ${message}` }, now);
    });
    if (!wrote) return;
    const event = { type: 'Warning', reason: 'FinalizationBlocked', message } as const;
    await deps.hub.events.record(resource.ref, resource.uid, event);
  } catch (failed) {
    if (!isOperatorError(failed)) throw failed;
    deps.log.warn(
      { component: resource.ref },
      `condition Finalizing could not be written: ${failed.message}`,
    );
  }
}

/** What the try has learned of the target: while a resource is being deleted, one failure is enough to show it. */
function withTarget(
  status: ComponentStatus,
  failure: { readonly kind: ErrorKind; readonly message: string },
  now: string,
): ComponentStatus {
  if (failureReasons[failure.kind].condition === 'TargetClusterResolved')
    return showFailure(status, failure, now);
  return failure.kind === 'FinalizationBlocked' ? targetResolved(status, now) : status;
}
