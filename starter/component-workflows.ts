import type { Client } from '@temporalio/client';

import type { ComponentRef } from '../domain/api/component-ref.ts';
import { componentKinds } from '../domain/api/component-ref.ts';
import { componentOfWorkflowId, componentWorkflowId } from '../workflows/component-workflow-id.ts';
import type { ComponentInput } from '../workflows/messages.ts';
import * as messages from '../workflows/messages.ts';
import { taskQueues } from '../workflows/activity-options.ts';

/** What the starter knows of one resource when it speaks to its workflow. */
export interface ComponentSighting {
  readonly ref: ComponentRef;
  readonly uid: string;
  readonly generation: number;
  readonly deleting: boolean;
}

/** Starts and signals component workflows. Every call is safe to repeat and to lose. */
export interface ComponentWorkflows {
  /** Makes sure that a workflow runs; writes no history when one does. */
  ensure(sighting: ComponentSighting): Promise<void>;
  /** Tells the workflow to look, starting it if need be. */
  changed(sighting: ComponentSighting): Promise<void>;
  deleted(sighting: ComponentSighting): Promise<void>;
  /** Asks for a full pass. */
  nudge(sighting: ComponentSighting): Promise<void>;
  forceCleanup(ref: ComponentRef, request: messages.ForceCleanupRequest): Promise<void>;
  gone(ref: ComponentRef, uid: string): Promise<void>;
  targetChanged(ref: ComponentRef, hash: string): Promise<void>;
  /** Components with an open workflow. */
  open(): Promise<readonly ComponentRef[]>;
}

export function createComponentWorkflows(client: Client, hubId: string): ComponentWorkflows {
  const optionsFor = (sighting: ComponentSighting) => {
    const { ref, uid, generation, deleting } = sighting;
    const input: ComponentInput = { ref, uid, generation, ...(deleting ? { deleting } : {}) };
    return {
      workflowId: componentWorkflowId(ref, hubId),
      taskQueue: taskQueues.workflows,
      args: [input] as [ComponentInput],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      staticSummary: `${ref.kind} ${ref.namespace}/${ref.name}`,
      memo: { uid },
    };
  };
  const handleOf = (ref: ComponentRef) => client.workflow.getHandle(componentWorkflowId(ref, hubId));
  return {
    async ensure(sighting) {
      await client.workflow.start(sighting.ref.kind, optionsFor(sighting));
    },
    async changed(sighting) {
      const { uid, generation } = sighting;
      await client.workflow.signalWithStart(sighting.ref.kind, {
        ...optionsFor(sighting),
        signal: messages.resourceChanged,
        signalArgs: [{ uid, generation }],
      });
    },
    async deleted(sighting) {
      await client.workflow.signalWithStart(sighting.ref.kind, {
        ...optionsFor(sighting),
        signal: messages.resourceDeleted,
        signalArgs: [{ uid: sighting.uid }],
      });
    },
    async nudge(sighting) {
      await client.workflow.signalWithStart(sighting.ref.kind, {
        ...optionsFor(sighting),
        signal: messages.nudge,
        signalArgs: [],
      });
    },
    async forceCleanup(ref, request) {
      await ignoreClosed(handleOf(ref).signal(messages.forceCleanup, request));
    },
    async gone(ref, uid) {
      await ignoreClosed(handleOf(ref).signal(messages.resourceGone, { uid }));
    },
    async targetChanged(ref, hash) {
      await ignoreClosed(handleOf(ref).signal(messages.targetChanged, { hash }));
    },
    open: () => openComponents(client, hubId),
  };
}

async function openComponents(client: Client, hubId: string): Promise<readonly ComponentRef[]> {
  const types = componentKinds.map((kind) => `'${kind}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  const refs: ComponentRef[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    const ref = componentOfWorkflowId(workflowId, hubId);
    if (ref !== undefined) refs.push(ref);
  }
  return refs;
}

/** A workflow that has just ended needs no message. */
export async function ignoreClosed(call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
  }
}
