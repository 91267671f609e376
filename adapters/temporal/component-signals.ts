import type { Client } from '@temporalio/client';

import type { ComponentRef } from '../../domain/api/component-ref.ts';
import type { DriftReport } from '../../domain/lifecycle/pass.ts';

/** What observers tell the workflows of components. A component without a workflow needs no message. */
export interface ComponentSignals {
  driftDetected(ref: ComponentRef, report: DriftReport): Promise<void>;
  healthChanged(ref: ComponentRef): Promise<void>;
}

export interface ComponentSignalsOptions {
  readonly client: () => Client;
  readonly workflowId: (ref: ComponentRef) => string;
}

export function createComponentSignals({ client, workflowId }: ComponentSignalsOptions): ComponentSignals {
  const send = async (ref: ComponentRef, name: string, args: readonly unknown[]): Promise<void> => {
    try {
      await client()
        .workflow.getHandle(workflowId(ref))
        .signal(name, ...args);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
    }
  };
  return {
    driftDetected: (ref, report) => send(ref, 'driftDetected', [report]),
    healthChanged: (ref) => send(ref, 'healthChanged', []),
  };
}
