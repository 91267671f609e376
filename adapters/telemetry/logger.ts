import { pino } from 'pino';

/** Structured logging: fields first, then a message. Never pass a credential, a manifest or a whole object. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** JSON lines on standard error, so that standard output stays free for a command's own output. */
export function createLogger(name: string, level: string): Logger {
  return pino({ name, level }, pino.destination({ fd: 2, sync: false }));
}
