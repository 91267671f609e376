import type { Client, WorkflowExecutionInfo } from '@temporalio/client';

import { componentKinds, formatComponentRef } from '../../domain/api/component-ref.ts';
import { componentOfWorkflowId } from '../../workflows/component-workflow-id.ts';
import { searchAttributeKeys } from '../../workflows/search-attributes.ts';

/** What Temporal's index says of the open workflow of a component; it may be a second behind. */
export interface WorkflowSummary {
  readonly workflowId: string;
  readonly runId: string;
  readonly phase: string | undefined;
  readonly reason: string | undefined;
  readonly plannedVersion: string | undefined;
  readonly target: string | undefined;
  /** ISO time. */
  readonly blockedSince: string | undefined;
}

/** Open component workflows by `Kind/namespace/name`. */
export async function openWorkflows(
  client: Client,
  hubId: string,
): Promise<ReadonlyMap<string, WorkflowSummary>> {
  const types = componentKinds.map((kind) => `'${kind}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  const found = new Map<string, WorkflowSummary>();
  for await (const info of client.workflow.list({ query })) {
    const ref = componentOfWorkflowId(info.workflowId, hubId);
    if (ref !== undefined) found.set(formatComponentRef(ref), summaryOf(info));
  }
  return found;
}

export function summaryOf(
  info: Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'typedSearchAttributes'>,
): WorkflowSummary {
  const { workflowId, runId, typedSearchAttributes: attributes } = info;
  return {
    workflowId,
    runId,
    phase: attributes.get(searchAttributeKeys.phase),
    reason: attributes.get(searchAttributeKeys.reason),
    plannedVersion: attributes.get(searchAttributeKeys.version),
    target: attributes.get(searchAttributeKeys.spoke),
    blockedSince: attributes.get(searchAttributeKeys.blockedSince)?.toISOString(),
  };
}
