import { TestWorkflowEnvironment } from '@temporalio/testing';
import { inject } from 'vitest';

import { findTestServer } from '../../dev/temporal/find-test-server.ts';
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import type { WorkflowBench } from './workflow-bench.ts';
import { openWorkflowBench } from './workflow-bench.ts';

/** A bench on a server of its own whose time stands still but for `skip`; for one open workflow at a time. */
export interface TimeSkippingBench extends WorkflowBench {
  /** Lets timers, time-outs and retry delays of that much time pass, as fast as they can be served. */
  skip(days: number): Promise<void>;
  /** Milliseconds since the epoch, as the server knows them. */
  now(): Promise<number>;
}

/** Numbers of the server's interface for the types of search attributes. */
const indexedValueTypes: Readonly<Record<string, number>> = { Keyword: 2, Int: 3, Bool: 5, Datetime: 6 };

const namespace = 'default';

export async function openTimeSkippingBench(): Promise<TimeSkippingBench> {
  const path = await findTestServer();
  const executable = { type: 'existing-path', path } as const;
  const environment = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  await environment.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      Object.entries(searchAttributeTypes).map(([name, type]) => [name, indexedValueTypes[type] ?? 0]),
    ),
  });
  const workflowBundle = inject('workflowBundle');
  const bench = await openWorkflowBench({ address: environment.address, namespace, workflowBundle });
  await bench.startWorkers();
  return {
    ...bench,
    skip: (days) => environment.sleep(days * 86_400_000),
    now: () => environment.currentTimeMs(),
    async stop() {
      await bench.stop();
      await environment.teardown();
    },
  };
}
