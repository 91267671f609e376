import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';

/** One event as the client returns it. */
export type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

interface Payloads {
  readonly payloads?: readonly Payload[] | null;
}

/** The first argument, or the result, of whatever an event carries; undefined when it is not JSON. */
export function firstValue(payloads: Payloads | null | undefined): unknown {
  const payload = payloads?.payloads?.[0];
  if (payload === undefined) return undefined;
  try {
    return defaultPayloadConverter.fromPayload(payload);
  } catch {
    return undefined;
  }
}
