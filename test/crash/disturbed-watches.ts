import type { LineFate } from '../../dev/fault-proxy/disturb-lines.ts';
import type { HttpFault, ProxiedRequest } from '../../dev/fault-proxy/http-fault.ts';

export type Disturbance = Exclude<LineFate, 'pass'>;

/** Lets the events of all watches through one proxy be disturbed, those of open streams as well. */
export interface DisturbedWatches {
  /** What the proxy does to a request; undefined for all but watches. */
  fault(request: ProxiedRequest): HttpFault | undefined;
  /** Happens to the next lines, whichever watches they are of; zero ends it. */
  disturb(how: Disturbance, lines: number): void;
  /** Lines so far that something happened to. */
  readonly disturbed: number;
}

export function disturbedWatches(): DisturbedWatches {
  let disturbed = 0;
  let next: { readonly how: Disturbance; left: number } = { how: 'drop', left: 0 };
  const fault: HttpFault = {
    type: 'disturb',
    decide() {
      if (next.left === 0) return 'pass';
      next.left -= 1;
      disturbed += 1;
      return next.how;
    },
  };
  return {
    fault: ({ query }) => (query.has('watch') ? fault : undefined),
    disturb: (how, left) => void (next = { how, left }),
    get disturbed() {
      return disturbed;
    },
  };
}
