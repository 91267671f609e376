import type { ActivityOptions } from '@temporalio/workflow';

/** Queues: hub activities and spoke activities never share slots, so a dead spoke cannot hold up a status. */
export const taskQueues = {
  workflows: 'knative-fleet',
  hub: 'knative-fleet-hub',
  spokes: 'knative-fleet-spokes',
  /** Observing takes a slot for hours, so it takes none from work. */
  observers: 'knative-fleet-observers',
} as const;

const common: ActivityOptions = {
  // The documented default is not the real one: an unset value does not wait for a write that is under way.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
};

/** A few quick tries, so that a failure is soon visible in the workflow. */
const quickRetry = { initialInterval: '1s', backoffCoefficient: 2, maximumAttempts: 3 } as const;

/** Patient tries cost no history; a round ends so that the workflow may continue as new. */
const patientRetry = { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '5m' } as const;
const patientRound = '6h';

/** Reads and writes on the hub: short, and worth repeating until the hub is back. */
export function hubOptions(summary: string): ActivityOptions {
  return {
    ...common,
    taskQueue: taskQueues.hub,
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
    summary,
  };
}

/** How an activity that dials a target is run. */
export interface TargetCall {
  readonly summary: string;
  /** After a first failure. */
  readonly patient: boolean;
  /** Whose turn it is among all that wait: one spoke with many tasks must not hold up the others. */
  readonly fairnessKey: string;
}

/** Whatever dials a target. */
export function targetOptions({ summary, patient, fairnessKey }: TargetCall): ActivityOptions {
  return {
    ...common,
    taskQueue: taskQueues.spokes,
    priority: { fairnessKey },
    startToCloseTimeout: '15m',
    heartbeatTimeout: '30s',
    ...(patient ? { scheduleToCloseTimeout: patientRound } : {}),
    retry: patient ? patientRetry : quickRetry,
    summary,
  };
}

/** One round of a finalization: its tries are Temporal's, and any message ends it. */
export function finalizeOptions(call: TargetCall): ActivityOptions {
  return {
    ...targetOptions(call),
    startToCloseTimeout: '1h',
    ...(call.patient ? { scheduleToCloseTimeout: '1h' } : {}),
  };
}

/** Observing a target for hours: its tries are Temporal's and cost no history, and another worker goes on at once. */
export function observeOptions(summary: string): ActivityOptions {
  return {
    taskQueue: taskQueues.observers,
    cancellationType: 'TRY_CANCEL',
    startToCloseTimeout: '9h',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '1m' },
    summary,
  };
}
