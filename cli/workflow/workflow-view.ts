import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { messageOf } from '../../domain/errors.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import * as messages from '../../workflows/messages.ts';
import type { ComponentDescription } from '../../workflows/messages.ts';
import { withProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { timeOf } from './protobuf-time.ts';

/** What Temporal knows of a component. */
export interface WorkflowView {
  readonly workflowId: string;
  readonly runId: string;
  readonly status: string;
  readonly started: string;
  readonly historyEvents: number;
  /** Tries that are under way or wait for their turn. */
  readonly pending: readonly PendingActivity[];
  /** The state as the workflow holds it; null with the reason when no worker answers. */
  readonly state: ComponentDescription | null;
  readonly stateMissing: string | null;
}

export interface PendingActivity {
  readonly step: string;
  readonly attempt: number;
  readonly nextTry: string | null;
  readonly lastFailure: string | null;
}

const queryTimeoutMs = 4_000;

/** The newest run of a component's workflow; undefined when there never was one, or it is no longer kept. */
export async function readWorkflow(session: Session, ref: ComponentRef): Promise<WorkflowView | undefined> {
  const client = await session.temporal();
  const workflowId = componentWorkflowId(ref, session.hubId);
  try {
    const description = await client.workflow.getHandle(workflowId).describe();
    const answer = await withProgress(session.terminal, 'asking the workflow', () =>
      queryState(client, workflowId),
    );
    return { ...viewOf(description), ...answer };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function queryState(
  client: Client,
  workflowId: string,
): Promise<Pick<WorkflowView, 'state' | 'stateMissing'>> {
  try {
    const state = await client.withDeadline(Date.now() + queryTimeoutMs, () =>
      client.workflow.getHandle(workflowId).query(messages.describe),
    );
    return { state, stateMissing: null };
  } catch (error) {
    return { state: null, stateMissing: `no worker answered: ${messageOf(error)}` };
  }
}

function viewOf(description: WorkflowExecutionDescription): Omit<WorkflowView, 'state' | 'stateMissing'> {
  const { workflowId, runId, status, startTime, historyLength, raw } = description;
  return {
    workflowId,
    runId,
    status: status.name,
    started: startTime.toISOString(),
    historyEvents: historyLength,
    pending: (raw.pendingActivities ?? []).map((activity) => ({
      step: activity.activityType?.name ?? '',
      attempt: activity.attempt ?? 1,
      nextTry: timeOf(activity.nextAttemptScheduleTime ?? activity.scheduledTime),
      lastFailure: activity.lastFailure?.message ?? null,
    })),
  };
}
