import { setTimeout as sleep } from 'node:timers/promises';

import { messageOf } from '../../domain/errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import { temporalSettings } from './connection.ts';

const againMs = 5_000;

/**
 * Connects to Temporal, as often as it takes: a process that ended in place of waiting would be started again with longer
 * and longer pauses. Rejects with the signal's reason.
 */
export async function connectPatiently<T>(
  connect: () => Promise<T>,
  log: Logger,
  signal: AbortSignal,
): Promise<T> {
  let said = '';
  for (;;) {
    signal.throwIfAborted();
    try {
      return await connect();
    } catch (error) {
      const why = messageOf(error);
      const { address } = temporalSettings();
      if (why !== said) log.warn({ address }, `Temporal cannot be reached and is tried again: ${why}`);
      said = why;
      await sleep(againMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
