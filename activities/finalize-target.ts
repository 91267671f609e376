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
import { deadlinePassed } from './finalize/deadline.ts';
import { recordRemaining } from './finalize/record-remaining.ts';
import type { RemovalReport } from './finalize/remove-component.ts';
import { removeComponent } from './finalize/remove-component.ts';
import { refuseWhenPaused } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { timestamp } from './pass/timestamp.ts';

/** Together they keep the result under 2 kB. */
const maxBlockers = 10;
const maxBlocker = 150;

/**
 * One try to remove everything in the inventory from the target, and to verify that it is gone. Throws while something
 * is left, so that Temporal tries again; condition Finalizing says what remains and who blocks it. A forced cleanup, or
 * one whose deadline has passed, removes what answers now, records the rest and gives it up. Refuses a resource that
 * nobody is deleting.
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
      throw toApplicationFailure(error);
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
  if (force === undefined) refuseWhenPaused(resource);
  heartbeat('connecting to the target');
  const report = await tryToRemove(deps, resource, force !== undefined);
  for (const message of report.kept) {
    const event = { type: 'Normal', reason: 'NamespaceKept', message } as const;
    await deps.hub.events.record(resource.ref, resource.uid, event);
  }
  if (report.remaining.length === 0) {
    return {
      outcome: report.retained ? 'retained' : 'clean',
      removed: report.removed,
      pending: 0,
      blockers: [],
    };
  }
  const blockers = report.blockers.slice(0, maxBlockers).map((blocker) => blocker.slice(0, maxBlocker));
  const pending = report.remaining.length;
  if (force === undefined) throw blocked(report);
  await recordRemaining(deps, resource, { ...force, remaining: report.remaining });
  return { outcome: 'abandoned', removed: report.removed, pending, blockers };
}

/** A forced cleanup holds although the workflow that recorded it was lost, or nobody told the workflow. */
function forcedByAnnotation(resource: ComponentResource): FinalizeInput['force'] {
  const annotation = resource.annotations[wireNames.forceCleanupAnnotation];
  const reason = forceCleanupReason(annotation, resource.uid);
  return reason === undefined || reason === ''
    ? undefined
    : { reason, requestedBy: 'annotation on the resource' };
}

/** When forced, a target that cannot be used is no failure: everything that is recorded for it remains. */
async function tryToRemove(
  deps: ActivityDependencies,
  resource: ComponentResource,
  forced: boolean,
): Promise<RemovalReport> {
  try {
    const target = await openTarget(deps, resource);
    return await removeComponent(deps, resource, target);
  } catch (error) {
    if (!forced) throw error;
    const mirror = await deps.target.mirror(resource.ref, resource.uid).read();
    const remaining = mirror?.entries ?? [];
    return { removed: 0, remaining, blockers: [messageOf(error)], retained: false, kept: [] };
  }
}

function blocked(report: RemovalReport): OperatorError {
  const shown = report.blockers.slice(0, 3).join('; ');
  return new OperatorError(
    'FinalizationBlocked',
    `${String(report.remaining.length)} objects remain on the target: ${shown}`,
  );
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
