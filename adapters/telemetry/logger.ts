import { pino } from 'pino';

import { logContext } from './log-context.ts';

/** Structured logging: fields first, then a message. Never pass a credential, a manifest or a whole object. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * JSON lines on standard error, so that standard output stays free for a command's own output. Inside an activity every
 * line carries its workflow, component and spoke.
 */
export function createLogger(name: string, level: string): Logger {
  const mixin = (): object => ({ ...logContext() });
  return pino({ name, level, mixin }, pino.destination({ fd: 2, sync: false }));
}
