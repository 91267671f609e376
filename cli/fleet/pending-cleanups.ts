import type { Client } from '@temporalio/client';

import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { componentOfCleanupId } from '../../workflows/component-workflow-id.ts';
import { summaryOf } from './workflow-summary.ts';

/** A removal that goes on without its resource. The fields are the documented shape of `-o json`: add, never rename. */
export interface CleanupRow {
  /** The component that was let go; one of the same name may exist again. */
  readonly component: string;
  readonly namespace: string;
  /** Of the resource that was let go. */
  readonly uid: string;
  /** `namespace/name` of the ClusterProfile. */
  readonly target: string | null;
  readonly state: string;
  /** ISO time since when it runs, or since when it is held up. */
  readonly since: string;
  readonly reason: string | null;
  readonly workflow: string;
}

/** Open cleanups of one hub, from Temporal's index, in the order of their names; it may be a second behind. */
export async function pendingCleanups(client: Client, hubId: string): Promise<readonly CleanupRow[]> {
  const query = "WorkflowType = 'ComponentCleanup' AND ExecutionStatus = 'Running'";
  const rows: CleanupRow[] = [];
  for await (const info of client.workflow.list({ query })) {
    const found = componentOfCleanupId(info.workflowId, hubId);
    if (found === undefined) continue;
    const { phase, reason, target, blockedSince } = summaryOf(info);
    rows.push({
      component: formatComponentRef(found.ref),
      namespace: found.ref.namespace,
      uid: found.uid,
      target: target ?? null,
      state: phase ?? 'Finalizing',
      since: blockedSince ?? info.startTime.toISOString(),
      reason: reason ?? null,
      workflow: info.workflowId,
    });
  }
  return rows.toSorted((a, b) => (a.workflow < b.workflow ? -1 : 1));
}
