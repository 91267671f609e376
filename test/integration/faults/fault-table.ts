import type { FaultPlan, HttpFault } from '../../../dev/fault-proxy/http-fault.ts';
import { hideGroupAfterCrd, htmlPage, statusAnswer } from '../../../dev/fault-proxy/http-fault.ts';
import type { Certificates } from '../../../dev/certificates/make-certificates.ts';
import type { FaultySpoke } from './faulty-spoke.ts';

/** What must be seen while a fault lasts; undefined: the pass takes longer, and no try of it fails. */
export type Shown = { readonly reason: string; readonly message: RegExp } | undefined;

/** One row: how a fault begins, what it shows, and how it ends. */
export interface Fault {
  readonly name: string;
  begin(spoke: FaultySpoke): Promise<void> | void;
  readonly shown: Shown;
  /** How long it goes on after it was shown; default not at all. */
  readonly lastsMs?: number;
  end(spoke: FaultySpoke): Promise<void> | void;
}

const onTcp = (
  name: string,
  turn: (spoke: FaultySpoke, on: boolean) => Promise<void> | void,
  shown: Shown,
): Fault => ({
  name,
  begin: (spoke) => turn(spoke, true),
  shown,
  end: (spoke) => turn(spoke, false),
});

const onHttp = (name: string, plan: () => FaultPlan, shown: Shown, lastsMs = 0): Fault => ({
  name,
  begin: ({ http }) => http.inject(plan()),
  shown,
  lastsMs,
  end: ({ http }) => http.inject(undefined),
});

const onTls = (
  name: string,
  certificates: { readonly bad: Certificates['server']; readonly good: Certificates['server'] },
  shown: Shown,
): Fault => ({
  name,
  begin: ({ http }) => http.useCertificate(certificates.bad),
  shown,
  end: ({ http }) => http.useCertificate(certificates.good),
});

const unreachable = (message: RegExp): Shown => ({ reason: 'SpokeUnreachable', message });
const distrusted = (message: RegExp): Shown => ({ reason: 'RemoteClientCreationFailed', message });

/** Answers so many requests with 429, then passes. */
function throttle(count: number): FaultPlan {
  let left = count;
  return () => (left-- > 0 ? statusAnswer(429, 'TooManyRequests', { 'retry-after': '1' }) : undefined);
}

const everything =
  (fault: ReturnType<FaultPlan>): (() => FaultPlan) =>
  () =>
  () =>
    fault;

/** Rows in lanes; the lanes run beside each other, each on a spoke of its own. */
export function faultLanes(
  own: Certificates,
  foreign: Certificates,
): Readonly<Record<string, readonly Fault[]>> {
  return {
    first: [
      onTcp('refused', ({ tcp }, on) => tcp.closePort(on), unreachable(/ECONNREFUSED.*check the address/)),
      onHttp('401', everything(statusAnswer(401, 'Unauthorized')), distrusted(/answered 401.*credentials/)),
    ],
    second: [
      onTcp('black hole', ({ tcp }, on) => tcp.blackHole(on), unreachable(/time|no answer|ping/i)),
      onHttp('truncated JSON', everything({ type: 'truncate' }), unreachable(/not complete JSON/)),
    ],
    third: [
      onHttp(
        '500 for 60 s',
        everything(statusAnswer(500, 'InternalError')),
        unreachable(/answered 500.*health/),
        60_000,
      ),
    ],
    fourth: [
      onHttp('reset in mid-response', everything({ type: 'reset' }), unreachable(/cannot be used/)),
      onTls(
        'wrong CA',
        { bad: foreign.server, good: own.server },
        distrusted(/certificate.*certificate-authority-data/),
      ),
      onTls(
        'expired certificate',
        { bad: own.expired, good: own.server },
        distrusted(/certificate has expired/),
      ),
      onHttp('HTML answer', everything(htmlPage), unreachable(/HTML page/)),
    ],
    fifth: [
      onHttp('403', everything(statusAnswer(403, 'Forbidden')), {
        reason: 'SpokeForbidden',
        message: /GET Namespace kube-system .*answered 403.*grant the spoke role/,
      }),
      onHttp('503', everything(statusAnswer(503, 'ServiceUnavailable')), unreachable(/answered 503.*health/)),
      onHttp(
        '429 with a Retry-After that is too long to wait',
        everything(statusAnswer(429, 'TooManyRequests', { 'retry-after': '120' })),
        unreachable(/answered 429/),
      ),
      onHttp('429 with Retry-After', () => throttle(12), undefined),
      onHttp(
        'API group missing for 3 s after its CRD',
        () => hideGroupAfterCrd('sample.eventing.knative.dev', 3_000),
        undefined,
      ),
    ],
    sixth: [slow('answers after 5 s', 5_000)],
  };
}

/** Everything for a while, as a pass takes its first look at the spoke; then only writes, so that the row ends. */
function slow(name: string, ms: number): Fault {
  const delay: HttpFault = { type: 'delay', ms };
  const readsMs = 40_000;
  return onHttp(
    name,
    () => {
      const until = performance.now() + readsMs;
      return ({ method }) => (method === 'PATCH' || performance.now() < until ? delay : undefined);
    },
    undefined,
  );
}
