import { OperatorError } from '../../domain/errors.ts';

/** Fails calls to a dead cluster at once for a while, in place of making each wait for a time limit. */
export interface CircuitBreaker {
  /** Throws SpokeUnreachable while the circuit is open; lets one probe pass when the time is over. */
  enter(): void;
  succeeded(): void;
  /** A failure to connect, or a connection without any answer. */
  failed(cause: string): void;
  reset(): void;
  readonly state: 'closed' | 'open' | 'half-open';
}

export interface CircuitLimits {
  readonly circuitFailures: number;
  readonly circuitOpenMs: number;
}

export function createCircuitBreaker(server: string, limits: CircuitLimits): CircuitBreaker {
  let failures = 0;
  let openedAt: number | undefined;
  let probing = false;
  let lastCause = '';

  const close = (): void => {
    failures = 0;
    openedAt = undefined;
    probing = false;
  };

  return {
    get state() {
      if (openedAt === undefined) return 'closed';
      return performance.now() - openedAt < limits.circuitOpenMs ? 'open' : 'half-open';
    },
    enter() {
      if (openedAt === undefined) return;
      const openFor = performance.now() - openedAt;
      if (openFor >= limits.circuitOpenMs && !probing) {
        probing = true;
        return;
      }
      const left = Math.max(1, Math.ceil((limits.circuitOpenMs - openFor) / 1000));
      throw new OperatorError(
        'SpokeUnreachable',
        `${server} did not answer ${String(failures)} times in a row (${lastCause}); tried again in ${String(left)} s`,
      );
    },
    succeeded: close,
    failed(cause) {
      failures += 1;
      lastCause = cause;
      probing = false;
      if (failures >= limits.circuitFailures) openedAt = performance.now();
    },
    reset: close,
  };
}
