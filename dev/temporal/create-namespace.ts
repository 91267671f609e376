import { Connection } from '@temporalio/client';

import { until } from '../processes/until.ts';
import { searchAttributes } from './search-attributes.ts';

/** Wire numbers of temporal.api.enums.v1.IndexedValueType. */
const types: Readonly<Record<string, number>> = { Keyword: 2, Int: 3, Bool: 5, Datetime: 6 };

/** Makes a namespace with our search attributes on a running server, so that tests do not meet in one. */
export async function createNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    const attributes = Object.entries(searchAttributes).map(([name, type]) => [name, types[type] ?? 0]);
    await until(`namespace ${namespace} takes search attributes`, 30_000, async () => {
      const searchAttributes_ = Object.fromEntries(attributes) as Record<string, number>;
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: searchAttributes_,
      });
      return true;
    });
  } finally {
    await connection.close();
  }
}
