import { isOperatorError, messageOf, OperatorError } from '../../domain/errors.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import type { Credential } from '../kubernetes/connection-settings.ts';
import type { PluginCredential } from './exec-credential.ts';
import { sameSecret } from './redaction.ts';

/** Milliseconds: `wall` since the epoch, for expiry; `monotonic` for intervals. */
export interface CredentialClock {
  wall(): number;
  monotonic(): number;
}

/** The credential of one spoke. */
export interface CredentialSource {
  /** Cheap when it is cached; else waits for the one run that serves all callers. */
  credential(): Promise<Credential>;
  /**
   * After a 401: forgets the credential that was refused, so that the next `credential` is a new one. Does nothing when
   * it was replaced already, or when a renewal just happened: a cluster that refuses everything must not become a loop.
   * One that had been accepted was rotated or revoked, so its renewal waits for nothing but a second since the last.
   */
  renew(refused?: Credential): Promise<void>;
  /** The cluster knew the credential. */
  accepted(credential: Credential): void;
}

const refreshBeforeMs = 60_000;
/** Clocks that differ, and requests that are under way. */
const skewMs = 10_000;
const maxJitterMs = 15_000;
const minRenewIntervalMs = 5_000;
const maxRenewIntervalMs = 60_000;
const minRotationMs = 1_000;
const minBackoffMs = 1_000;
const maxBackoffMs = 60_000;

interface Held {
  readonly credential: Credential;
  /** Not used from here on. */
  readonly unusableAt: number;
  readonly refreshAt: number;
}

/** One plugin run at a time; refreshes ahead of expiry; remembers failures with back-off. */
export function createCredentialSource(
  run: () => Promise<PluginCredential>,
  clock: CredentialClock,
): CredentialSource {
  let held: Held | undefined;
  let worked = false;
  const runner = createRunner(run, clock);
  const mayRenew = createRenewalLimit(clock);

  const refresh = async (): Promise<Credential> => {
    const answer = await runner.run();
    if (held?.credential !== answer.credential) {
      held = hold(answer, clock.wall());
      worked = false;
    }
    return answer.credential;
  };

  return {
    async credential() {
      const now = clock.wall();
      if (held !== undefined && now < held.refreshAt) return held.credential;
      if (held === undefined || now >= held.unusableAt) return refresh();
      refresh().catch(() => undefined);
      return held.credential;
    },
    async renew(refused) {
      const replaced =
        held !== undefined && refused !== undefined && !sameCredential(held.credential, refused);
      if (replaced || (!runner.busy() && !mayRenew(worked))) return;
      held = undefined;
      await refresh();
    },
    accepted(credential) {
      worked ||= held?.credential === credential;
    },
  };
}

interface Runner {
  /** Joins the run that is under way. Rejects at once while it backs off after a failure. */
  run(): Promise<PluginCredential>;
  busy(): boolean;
}

function createRunner(run: () => Promise<PluginCredential>, clock: CredentialClock): Runner {
  let running: Promise<PluginCredential> | undefined;
  let failure: { kind: ErrorKind; message: string; until: number; backoffMs: number } | undefined;

  const attempt = async (): Promise<PluginCredential> => {
    try {
      const answer = await run();
      failure = undefined;
      return answer;
    } catch (error) {
      const backoffMs = failure === undefined ? minBackoffMs : Math.min(failure.backoffMs * 2, maxBackoffMs);
      const kind = isOperatorError(error) ? error.kind : 'AccessProviderFailed';
      failure = { kind, message: messageOf(error), until: clock.monotonic() + backoffMs, backoffMs };
      throw error;
    }
  };

  return {
    busy: () => running !== undefined,
    async run() {
      const leftMs = running === undefined && failure !== undefined ? failure.until - clock.monotonic() : 0;
      if (failure !== undefined && leftMs > 0) {
        const seconds = String(Math.ceil(leftMs / 1000));
        throw new OperatorError(
          failure.kind,
          `${failure.message}; the plugin is tried again in ${seconds} s`,
        );
      }
      running ??= attempt().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

/**
 * The first renewal passes at once, and so does one of a credential that had worked; further ones wait longer and longer
 * until it has been calm for a while.
 */
function createRenewalLimit(clock: CredentialClock): (worked: boolean) => boolean {
  let renewedAt = -Infinity;
  let intervalMs = 0;
  return (worked) => {
    const sinceMs = clock.monotonic() - renewedAt;
    if (sinceMs < (worked ? minRotationMs : intervalMs)) return false;
    const calm = worked || intervalMs === 0 || sinceMs > 3 * intervalMs;
    intervalMs = calm ? minRenewIntervalMs : Math.min(intervalMs * 2, maxRenewIntervalMs);
    renewedAt = clock.monotonic();
    return true;
  };
}

/** Refreshed a minute before it expires, a little earlier at random; a short-lived one after two thirds of its life. */
function hold(answer: PluginCredential, now: number): Held {
  const { credential, expiresAt } = answer;
  if (expiresAt === undefined) return { credential, unusableAt: Infinity, refreshAt: Infinity };
  const life = expiresAt - now;
  const early = Math.min(refreshBeforeMs + Math.random() * maxJitterMs, life / 3);
  return { credential, unusableAt: expiresAt - Math.min(skewMs, life / 4), refreshAt: expiresAt - early };
}

function sameCredential(a: Credential, b: Credential): boolean {
  return sameSecret(a.token, b.token) && sameSecret(a.clientCertificate, b.clientCertificate);
}
