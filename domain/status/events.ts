import type { FailureReason } from './reasons.ts';

/** A Kubernetes event on a resource: what it says and what to do about it. Names on the wire: add, never rename. */
export interface EventDeclaration {
  readonly type: 'Normal' | 'Warning';
  /** When it is written. */
  readonly meaning: string;
  /** Empty when nothing has to be done. */
  readonly advice: string;
}

/** Events besides those of failures, which have the reason of the condition that shows the failure. */
export const eventReasons = {
  Ready: {
    type: 'Normal',
    meaning: 'A version is installed and ready, for the first time or again.',
    advice: '',
  },
  DriftRepaired: {
    type: 'Normal',
    meaning:
      'A pass put right what somebody had deleted or changed on the target. The message names objects, fields and writers.',
    advice: 'To keep a change, make it in the resource.',
  },
  DriftReturns: {
    type: 'Warning',
    meaning:
      'An object is changed again after every repair, so repairs wait longer and longer, up to an hour. The message names fields and writers.',
    advice: 'Stop the other writer, or make the change in the resource.',
  },
  Command: {
    type: 'Normal',
    meaning:
      'A person asked for something: `suspend`, `resume` or `forceCleanup`. The message says who and why.',
    advice: '',
  },
  UnknownName: {
    type: 'Warning',
    meaning: 'An override names something that the release does not have, and changes nothing.',
    advice: 'Correct the name in the resource, or take the override out.',
  },
  FinalizationBlocked: {
    type: 'Warning',
    meaning:
      'The removal of a deleted resource cannot go on. The message says what remains and who blocks it.',
    advice:
      'Remove what blocks it, or bring the target back. For a target that is gone, give it up by a forced cleanup.',
  },
  NamespaceKept: {
    type: 'Normal',
    meaning:
      'A namespace that this software made stays at the end of a removal. The message says what is in it.',
    advice: 'Remove the namespace by hand once nobody needs what is in it.',
  },
  Deferred: {
    type: 'Warning',
    meaning:
      'The resource was let go before its target could be cleaned, as its deletion policy says. The removal goes on without it.',
    advice: 'Bring the target back, or give the removal up by signal `forceCleanup` of its workflow.',
  },
  Removed: {
    type: 'Normal',
    meaning: 'A removal that went on without its resource is complete.',
    advice: '',
  },
  GoOperatorActive: {
    type: 'Warning',
    meaning: 'A Go operator renews its leader Lease on this hub. Nothing is done until it stops.',
    advice: 'Scale the Deployment of the Go operator to zero, or stop this software.',
  },
  Abandoned: {
    type: 'Warning',
    meaning: 'Objects stay behind on the target by a decision: a forced cleanup, or a deadline that passed.',
    advice:
      'Remove them by hand if the cluster still exists. The record in the namespace of the operator lists them.',
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>;

/** One of these, or the reason of the condition that shows a failure. */
export type EventReason = keyof typeof eventReasons | FailureReason;
