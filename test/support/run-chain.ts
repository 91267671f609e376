import type { Client } from '@temporalio/client';

/** One run of a workflow that continues as new. */
export interface Run {
  readonly runId: string;
  /** Events in its history. */
  readonly events: number;
}

/** `HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT` */
const closeEvent = 2;

/** All runs of a workflow from a first one on, oldest first; works on servers that cannot list. */
export async function runsFrom(client: Client, workflowId: string, firstRunId: string): Promise<Run[]> {
  const runs: Run[] = [];
  let runId: string | undefined = firstRunId;
  while (runId !== undefined) {
    const { historyLength, status } = await client.workflow.getHandle(workflowId, runId).describe();
    runs.push({ runId, events: historyLength });
    runId = status.name === 'CONTINUED_AS_NEW' ? await nextRunId(client, workflowId, runId) : undefined;
  }
  return runs;
}

async function nextRunId(client: Client, workflowId: string, runId: string): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    historyEventFilterType: closeEvent,
  });
  const last = history?.events?.at(-1);
  return last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
}
