import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';

import type { ObserverActivities } from '../activities/registry.ts';
import { idleHours, idleSpread } from '../domain/lifecycle/idle-intervals.ts';
import type { RepairRecord } from '../domain/lifecycle/repair-backoff.ts';
import { observeOptions } from './activity-options.ts';

/** Input of an observer; `disputed` is what the previous run handed over at continue-as-new. */
export interface ObserverInput {
  /** `<namespace>/<name>` of a ClusterProfile, or `local`. */
  readonly target: string;
  readonly disputed?: readonly RepairRecord[];
}

/**
 * Looks after one target for as long as a component names it. All the work is in one activity of six hours, which watches
 * and compares; this workflow keeps it running, and its history small. Holds nothing that matters: a lost one is started
 * again by the starter.
 */
export async function spokeObserver(input: ObserverInput): Promise<string> {
  let disputed = input.disputed ?? [];
  for (;;) {
    setCurrentDetails(renderObserver(input.target, disputed));
    const { observeTarget } = proxyActivities<ObserverActivities>(observeOptions(`observe ${input.target}`));
    const minutes = Math.round(idleHours.observation * 60 * idleSpread(Math.random()));
    const result = await observeTarget({ target: input.target, minutes, disputed });
    if (!result.used) return 'Unused';
    disputed = result.disputed;
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof spokeObserver>({ target: input.target, disputed });
    }
  }
}

function renderObserver(target: string, disputed: readonly RepairRecord[]): string {
  const lines = disputed.map(({ key, repairs }) => `- repaired ${String(repairs)} times, comes back: ${key}`);
  const what = 'watches what is installed there and tells the workflow of the component that is concerned.';
  return [`**Observing** ${target}: ${what}`, ...lines].join('\n');
}
