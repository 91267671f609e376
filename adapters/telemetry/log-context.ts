import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line says that is logged in the course of one activity. */
export interface LogContext {
  readonly workflowId: string;
  readonly activity: string;
  readonly attempt: number;
  readonly component?: object | undefined;
  /** `namespace/name` of the ClusterProfile, once it is known; absent for the hub. */
  spoke?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

export function withLogContext<T>(context: LogContext, body: () => Promise<T>): Promise<T> {
  return storage.run(context, body);
}

export function noteSpoke(spoke: string): void {
  const context = storage.getStore();
  if (context !== undefined) context.spoke = spoke;
}

export function logContext(): LogContext | undefined {
  return storage.getStore();
}
