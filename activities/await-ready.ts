import { Context, heartbeat } from '@temporalio/activity';

import type { AwaitInput, InstallInput, ReadinessView } from '../domain/lifecycle/pass.ts';
import { boundedNames } from '../domain/manifests/bounded-names.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { asStatus, targetResolved, waitingOn } from '../domain/status/status-change.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createDeadline } from './pass/deadline.ts';
import { openPass } from './pass/open-pass.ts';
import { openTarget } from './pass/open-target.ts';
import { planAgain } from './pass/planned-objects.ts';
import { reporting } from './pass/reporting.ts';
import { timestamp } from './pass/timestamp.ts';
import { inventoryCopies } from './pass/write-inventory.ts';
import { recordFinishedJobs } from './ready/finished-jobs.ts';
import { watchWorkloads } from './ready/watch-workloads.ts';

/** One call waits at most this long, so that the workflow sees progress and may continue as new. */
const callLimitMs = 10 * 60_000;
/** The workflow hears of another list of what is waited for after this many polls; a call costs history. */
const pollsPerReport = 3;
/** Writes of DeploymentsAvailable are at least this far apart. */
const statusIntervalMs = 1_000;

/**
 * Waits for the workloads of the planned set by watch, with the poll interval as backstop, and shows what it waits for
 * in DeploymentsAvailable. An absent workload is not ready. Returns when all are ready, after three polls when it waits
 * for something else than the workflow shows, and after ten minutes at the latest; safe to repeat.
 */
export function awaitReady(deps: ActivityDependencies) {
  return async (input: AwaitInput): Promise<ReadinessView> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const planned = await planAgain(deps, resource, input.plan.digest);
      const target = await openTarget(deps, resource);
      const copies = inventoryCopies(deps, target, input);
      const reading = copies.target.readOwn();
      const show = statusWriter(deps, input);
      const settled = createDeadline(pollsPerReport * deps.pollIntervalMs);
      const limit = createDeadline(callLimitMs);
      const stop = AbortSignal.any([limit.signal, Context.current().cancellationSignal]);
      let waitingFor: readonly string[] = ['all'];
      let found: readonly ManifestObject[] = [];
      const work = {
        objects: planned.objects,
        done: reading.then((inventory) => inventory?.entries ?? []),
        pollIntervalMs: deps.pollIntervalMs,
      };
      try {
        for await (const view of watchWorkloads(target.client, work, stop)) {
          ({ waitingFor, found } = view);
          heartbeat({ waitingFor: boundedNames(waitingFor) });
          await show(waitingFor);
          if (waitingFor.length === 0 || (settled.signal.aborted && differs(waitingFor, input.shown))) break;
        }
      } finally {
        settled.end();
        limit.end();
      }
      Context.current().cancellationSignal.throwIfAborted();
      const inventory = await reading;
      if (inventory !== undefined) await recordFinishedJobs(copies, { inventory, planned, found });
      return { ready: waitingFor.length === 0, waitingFor: boundedNames(waitingFor) };
    });
}

function differs(waitingFor: readonly string[], shown: readonly string[]): boolean {
  return boundedNames(waitingFor).join() !== shown.join();
}

function statusWriter(
  deps: ActivityDependencies,
  input: InstallInput,
): (waitingFor: readonly string[]) => Promise<void> {
  let shown = '';
  let shownAt = -Infinity;
  return async (waitingFor) => {
    const text = waitingFor.join(', ');
    // What ends the wait is written by the report that follows it.
    if (text === shown || waitingFor.length === 0 || performance.now() - shownAt < statusIntervalMs) return;
    shown = text;
    shownAt = performance.now();
    await deps.hub.components.updateStatus(input.ref, input.uid, (found) => {
      const now = timestamp();
      const waiting = { generation: input.generation, names: waitingFor };
      return waitingOn(targetResolved(asStatus(found), now), waiting, now);
    });
  };
}
