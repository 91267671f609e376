import { ApplicationFailure } from '@temporalio/common';

import type { OperatorFleet } from '../support/operator-fleet.ts';

/** Tried again as soon as there is a worker, and not after the back-off of a failure of its own. */
const theWorkerDied = ApplicationFailure.create({ message: 'the worker died', nextRetryDelay: 1 });

/**
 * Kills the worker and starts it anew, and tells Temporal at once what it would find out by the heartbeats of these
 * workflows' activities that fail to come.
 */
export async function restartWorker(
  { operator, temporal }: Pick<OperatorFleet, 'operator' | 'temporal'>,
  workflowIds: readonly string[],
): Promise<void> {
  await operator.killWorker();
  for (const workflowId of workflowIds) {
    const description = await temporal.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => undefined);
    for (const { activityId } of description?.raw.pendingActivities ?? []) {
      await temporal.activity
        .fail({ workflowId, activityId: activityId ?? '' }, theWorkerDied)
        .catch(() => undefined);
    }
  }
  await operator.startWorker();
}
