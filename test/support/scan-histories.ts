import type { Client } from '@temporalio/client';

import { historyViolations } from './history-violations.ts';

/** Scans every workflow of a namespace for what must never be in history; returns what it found, for people. */
export async function scanHistories(
  temporal: Client,
  secrets: readonly string[],
): Promise<{ readonly scanned: number; readonly violations: readonly string[] }> {
  const violations: string[] = [];
  let scanned = 0;
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    scanned += 1;
    for (const event of history.events ?? []) {
      const found = historyViolations(event, secrets);
      violations.push(...found.map((text) => `${workflowId} event ${String(event.eventId)}: ${text}`));
    }
  }
  return { scanned, violations };
}
