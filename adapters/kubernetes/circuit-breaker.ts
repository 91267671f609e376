import { OperatorError } from '../../domain/errors.ts';

/** Fails calls to a dead cluster at once for a while, in place of making each wait for a time limit. */
export interface CircuitBreaker {
  /** Throws SpokeUnreachable while the circuit is open; lets one probe pass when the time is over. */
  enter(): CircuitPass;
  /** Forgets all failures: the next call tries at once. */
  reset(): void;
  readonly state: 'closed' | 'open' | 'half-open';
}

/** One call; exactly one of these is to be told. */
export interface CircuitPass {
  /** The cluster answered. */
  succeeded(): void;
  /** It could not be connected, or gave no answer. Calls that fail with the same error count once. */
  failed(error: unknown, cause: string): void;
  /** The call ended without saying anything about the cluster. */
  abandoned(): void;
}

export interface CircuitLimits {
  readonly circuitFailures: number;
  readonly circuitOpenMs: number;
}

/** Told when the circuit opens, and when it is closed again by an answer or a reset. */
export type CircuitObserver = (open: boolean) => void;

interface Circuit extends CircuitLimits {
  readonly server: string;
  readonly observe: CircuitObserver | undefined;
  failures: number;
  lastError: unknown;
  cause: string;
  /** Of the first failure in a row. */
  since: Date | undefined;
  /** Monotonic; undefined while closed. */
  openedAt: number | undefined;
  probing: boolean;
}

export function createCircuitBreaker(
  server: string,
  limits: CircuitLimits,
  observe?: CircuitObserver,
): CircuitBreaker {
  const circuit: Circuit = { ...limits, server, observe, ...closedState };
  return {
    get state() {
      if (circuit.openedAt === undefined) return 'closed';
      return leftMs(circuit) > 0 ? 'open' : 'half-open';
    },
    enter: () => enter(circuit),
    reset: () => close(circuit),
  };
}

const closedState = {
  failures: 0,
  lastError: undefined,
  cause: '',
  since: undefined,
  openedAt: undefined,
  probing: false,
};

function enter(circuit: Circuit): CircuitPass {
  const isProbe = circuit.openedAt !== undefined;
  if (isProbe) {
    if (leftMs(circuit) > 0 || circuit.probing) throw openError(circuit);
    circuit.probing = true;
  }
  return {
    succeeded: () => close(circuit),
    failed: (error, cause) => noteFailure(circuit, error, cause),
    abandoned() {
      if (isProbe) circuit.probing = false;
    },
  };
}

function noteFailure(circuit: Circuit, error: unknown, cause: string): void {
  circuit.probing = false;
  if (error === circuit.lastError) return;
  circuit.lastError = error;
  circuit.cause = cause;
  circuit.since ??= new Date();
  circuit.failures += 1;
  if (circuit.failures < circuit.circuitFailures) return;
  if (circuit.openedAt === undefined) circuit.observe?.(true);
  circuit.openedAt = performance.now();
}

function close(circuit: Circuit): void {
  if (circuit.openedAt !== undefined) circuit.observe?.(false);
  Object.assign(circuit, closedState);
}

function leftMs(circuit: Circuit): number {
  return circuit.openedAt === undefined ? 0 : circuit.openedAt + circuit.circuitOpenMs - performance.now();
}

function openError(circuit: Circuit): OperatorError {
  const until = new Date(Date.now() + Math.max(0, leftMs(circuit)));
  const next = circuit.probing ? 'one call tries it now' : `not tried again before ${timeOf(until)}`;
  return new OperatorError(
    'SpokeUnreachable',
    `${circuit.server} has not answered since ${timeOf(circuit.since ?? until)}, ` +
      `${String(circuit.failures)} times in a row (${circuit.cause}); ${next}`,
  );
}

/** To the second, so that a condition's message does not change at every look. */
function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
