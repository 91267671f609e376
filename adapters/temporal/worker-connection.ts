import { NativeConnection } from '@temporalio/worker';

import { loadTemporalConfig } from './connection.ts';

/** For workers; rejects at once when nothing listens. The caller closes it. */
export async function connectWorker(): Promise<NativeConnection> {
  return NativeConnection.connect(loadTemporalConfig().connectionOptions);
}
