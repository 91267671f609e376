import { Connection } from '@temporalio/client';

import { registerSearchAttributes } from '../../adapters/temporal/search-attributes.ts';
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import { until } from '../processes/until.ts';

/** Makes a namespace with our search attributes on a running server, so that tests do not meet in one. */
export async function createNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    await until(`namespace ${namespace} takes search attributes`, 30_000, async () => {
      await registerSearchAttributes(connection, namespace, searchAttributeTypes);
      return true;
    });
  } finally {
    await connection.close();
  }
}
