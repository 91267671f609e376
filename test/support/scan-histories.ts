import type { Client } from '@temporalio/client';

import { scanHistory } from './history-scan.ts';

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
    violations.push(...scanHistory(history, secrets).map((found) => `${workflowId}: ${found}`));
  }
  return { scanned, violations };
}
