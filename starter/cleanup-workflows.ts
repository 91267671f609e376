import type { Client } from '@temporalio/client';

import { taskQueues } from '../workflows/activity-options.ts';
import { cleanupWorkflowId } from '../workflows/component-workflow-id.ts';
import type { CleanupInput } from '../workflows/messages.ts';
import * as messages from '../workflows/messages.ts';
import { ignoreClosed } from './component-workflows.ts';
import type { PendingCleanup } from './watch-cleanups.ts';

/** Starts and wakes the workflows of deferred removals. Every call is safe to repeat and to lose. */
export interface CleanupWorkflows {
  /** Makes sure that one runs; writes no history when it does. */
  ensure(cleanup: PendingCleanup): Promise<void>;
  targetChanged(cleanup: PendingCleanup, hash: string): Promise<void>;
}

export function createCleanupWorkflows(client: Client, hubId: string): CleanupWorkflows {
  return {
    async ensure({ ref, uid, profile }) {
      const input: CleanupInput = { ref, uid, profile };
      await client.workflow.start('ComponentCleanup', {
        workflowId: cleanupWorkflowId(ref, uid, hubId),
        taskQueue: taskQueues.workflows,
        args: [input],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `deferred removal of ${ref.kind} ${ref.namespace}/${ref.name}`,
        memo: { uid },
      });
    },
    async targetChanged({ ref, uid }, hash) {
      const handle = client.workflow.getHandle(cleanupWorkflowId(ref, uid, hubId));
      await ignoreClosed(handle.signal(messages.targetChanged, { hash }));
    },
  };
}
