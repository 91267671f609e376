import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { Connection } from '@temporalio/client';
import { describe, expect, inject, test } from 'vitest';

import {
  checkSearchAttributes,
  registerSearchAttributes,
} from '../../../adapters/temporal/search-attributes.ts';
import { until } from '../../../dev/processes/until.ts';
import { searchAttributeTypes } from '../../../workflows/search-attributes.ts';

const worker = fileURLToPath(new URL('../../../worker/main.ts', import.meta.url));

describe('a worker at its start', () => {
  test('says which search attributes are missing and what registers them', async () => {
    const namespace = await bareNamespace();
    const { code, stderr } = await startWorker(namespace);
    expect(code).toBe(1);
    expect(stderr).toContain(`missing in Temporal namespace ${namespace}`);
    expect(stderr).toContain('KnBlockedSince');
    expect(stderr).toContain('run: knative-fleet doctor --fix');
    expect(stderr).toContain(`temporal operator search-attribute create --namespace ${namespace}`);
  });

  test('says that the namespace does not exist and what creates it', async () => {
    const { code, stderr } = await startWorker('no-such-namespace');
    expect(code).toBe(1);
    expect(stderr).toContain('Temporal namespace no-such-namespace does not exist');
    expect(stderr).toContain('temporal operator namespace create --namespace no-such-namespace');
  });

  test('refuses search attributes of another type', async () => {
    const namespace = await bareNamespace();
    await within(async (connection) =>
      registerSearchAttributes(connection, namespace, { ...searchAttributeTypes, KnReady: 'Keyword' }),
    );
    const { code, stderr } = await startWorker(namespace);
    expect(code).toBe(1);
    expect(stderr).toContain('KnReady is Keyword, not Bool');
  });
});

async function bareNamespace(): Promise<string> {
  const namespace = `bare-${randomUUID()}`;
  await within(async (connection) => {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
    });
    await until('the namespace is known', 30_000, async () => {
      const { state } = await checkSearchAttributes(connection, namespace, searchAttributeTypes);
      return state === 'missing' ? true : undefined;
    });
  });
  return namespace;
}

async function within(body: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await Connection.connect({ address: inject('temporal').address });
  try {
    await body(connection);
  } finally {
    await connection.close();
  }
}

function startWorker(namespace: string): Promise<{ code: unknown; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    KUBECONFIG: inject('fleet').hub.kubeconfigPath,
    TEMPORAL_ADDRESS: inject('temporal').address,
    TEMPORAL_NAMESPACE: namespace,
    WORKFLOW_BUNDLE: inject('workflowBundle'),
    METRICS_BIND_ADDRESS: 'off',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [worker], { env, timeout: 60_000 }, (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stderr });
    });
  });
}
