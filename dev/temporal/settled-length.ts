import { setTimeout as sleep } from 'node:timers/promises';

import type { WorkflowHandle } from '@temporalio/client';

import { until } from '../processes/until.ts';

/** The length of a history that has not grown for `restMs`. Rejects when it still grows after `withinMs`. */
export async function settledLength(
  workflow: WorkflowHandle,
  { restMs, withinMs }: { readonly restMs: number; readonly withinMs: number },
): Promise<number> {
  let seen = 0;
  return until('the history stops growing', withinMs, async () => {
    const { historyLength } = await workflow.describe();
    const settled = historyLength === seen;
    seen = historyLength;
    await sleep(restMs);
    return settled ? historyLength : undefined;
  });
}
