import { applyStages } from './apply-stages.ts';
import { awaitReady } from './await-ready.ts';
import { claimTarget } from './claim-target.ts';
import { cleanUpTarget } from './clean-up-target.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { finalizeTarget } from './finalize-target.ts';
import { observeTarget } from './observe-target.ts';
import { planRelease } from './plan-release.ts';
import { probeTarget } from './probe-target.ts';
import { pruneObsolete } from './prune-obsolete.ts';
import { recordAbandonment } from './record-abandonment.ts';
import { recordCommand } from './record-command.ts';
import { releaseFinalizer } from './release-finalizer.ts';
import { reportReady } from './report-ready.ts';
import { resolveTarget } from './resolve-target.ts';

/** All activities with their adapters. The keys are names in history: add, never rename. */
export function createActivities(deps: ActivityDependencies) {
  return {
    resolveTarget: resolveTarget(deps),
    planRelease: planRelease(deps),
    claimTarget: claimTarget(deps),
    applyStages: applyStages(deps),
    awaitReady: awaitReady(deps),
    pruneObsolete: pruneObsolete(deps),
    reportReady: reportReady(deps),
    probeTarget: probeTarget(deps),
    finalizeTarget: finalizeTarget(deps),
    cleanUpTarget: cleanUpTarget(deps),
    recordAbandonment: recordAbandonment(deps),
    releaseFinalizer: releaseFinalizer(deps),
    recordCommand: recordCommand(deps),
  };
}

/** What workflows call; they import this type only. */
export type Activities = ReturnType<typeof createActivities>;

/** Activities that last for hours, on a queue of their own. */
export function createObserverActivities(deps: ActivityDependencies) {
  return { observeTarget: observeTarget(deps) };
}

export type ObserverActivities = ReturnType<typeof createObserverActivities>;
