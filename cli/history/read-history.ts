import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';

import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import { CommandError } from '../exit-codes.ts';
import { withProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import type { HistoryEntry } from './history-entries.ts';
import { historyEntries } from './history-entries.ts';

/** What the newest runs of a component's workflow did, oldest first. Throws CommandError `missing` without a run. */
export async function readHistory(
  session: Session,
  ref: ComponentRef,
  maxRuns: number,
): Promise<readonly HistoryEntry[]> {
  const client = await session.temporal();
  const workflowId = componentWorkflowId(ref, session.hubId);
  return withProgress(
    session.terminal,
    `reading the history of ${formatComponentRef(ref)}`,
    async (progress) => {
      const runs = await newestRuns(client, workflowId, maxRuns);
      const entries: HistoryEntry[] = [];
      for (const [index, runId] of runs.entries()) {
        progress.show(`reading run ${String(index + 1)} of ${String(runs.length)}`);
        const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
        entries.push(...historyEntries(events ?? [], runId));
      }
      return entries;
    },
  );
}

/** The index may lack the newest run for a second, so that one is asked for by name. */
async function newestRuns(client: Client, workflowId: string, max: number): Promise<readonly string[]> {
  try {
    const newest = await client.workflow.getHandle(workflowId).describe();
    const started = new Map([[newest.runId, newest.startTime.getTime()]]);
    for await (const info of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      started.set(info.runId, info.startTime.getTime());
      if (started.size >= max) break;
    }
    return [...started].toSorted((a, b) => a[1] - b[1]).map(([runId]) => runId);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    throw new CommandError(
      'missing',
      `${workflowId} has no history in Temporal: it never ran, or its time of retention is over`,
      error,
    );
  }
}
