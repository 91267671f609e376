import { OperatorError } from '../../domain/errors.ts';
import { canonicalHash } from './canonical-hash.ts';
import { createCredentialSource } from './credential-source.ts';
import type { CredentialClock, CredentialSource } from './credential-source.ts';
import type { PluginCredential } from './exec-credential.ts';
import type { PluginCall } from './profile-access.ts';

export interface CredentialCacheOptions {
  /** Runs a plugin once; must end when the signal aborts. */
  readonly run: (call: PluginCall, signal: AbortSignal) => Promise<PluginCredential>;
  /** Plugins that run at once, over all spokes; default 8. */
  readonly maxParallel?: number;
  readonly clock?: CredentialClock;
  readonly observe?: (run: PluginRun) => void;
}

/** How one run of a plugin ended; for metrics. */
export interface PluginRun {
  /** All profiles, as `namespace/name`, that share its credential. */
  readonly profiles: readonly string[];
  readonly succeeded: boolean;
  /** Milliseconds since the epoch; undefined when the credential does not say. */
  readonly expiresAt: number | undefined;
  readonly milliseconds: number;
}

/** Credentials of all spokes, in the memory of this process only. */
export interface CredentialCache {
  /** The source for one plugin call of a profile; equal calls share one source, so one run serves them all. */
  source(call: PluginCall, profile: string): CredentialSource;
  /** The profile is gone: it is no longer named as one that shares a credential. */
  forget(profile: string): void;
  /** Ends running plugins; every later use rejects. */
  close(): void;
}

const defaultMaxParallel = 8;
const unusedAfterMs = 60 * 60_000;

const systemClock: CredentialClock = { wall: () => Date.now(), monotonic: () => performance.now() };

export function createCredentialCache(options: CredentialCacheOptions): CredentialCache {
  const clock = options.clock ?? systemClock;
  const closed = new AbortController();
  const slots = createSlots(options.maxParallel ?? defaultMaxParallel);
  const sources = new Map<string, Shared>();

  const run = (call: PluginCall, profiles: ReadonlySet<string>): Promise<PluginCredential> =>
    slots.within(() => {
      if (closed.signal.aborted) throw shutDown();
      const running = options.run(call, closed.signal);
      return options.observe === undefined ? running : observed(running, profiles, options.observe);
    });

  const prune = (): void => {
    const oldest = clock.monotonic() - unusedAfterMs;
    for (const [key, entry] of sources) if (entry.usedAt < oldest) sources.delete(key);
  };

  return {
    source(call, profile) {
      prune();
      const key = canonicalHash(call);
      const shared = sources.get(key) ?? share((profiles) => run(call, profiles), clock);
      shared.profiles.add(profile);
      shared.usedAt = clock.monotonic();
      sources.set(key, shared);
      return shared.source;
    },
    forget(profile) {
      for (const shared of sources.values()) shared.profiles.delete(profile);
    },
    close() {
      closed.abort(shutDown());
      sources.clear();
    },
  };
}

interface Shared {
  readonly source: CredentialSource;
  readonly profiles: Set<string>;
  usedAt: number;
}

function share(
  run: (profiles: ReadonlySet<string>) => Promise<PluginCredential>,
  clock: CredentialClock,
): Shared {
  const profiles = new Set<string>();
  return {
    source: createCredentialSource(() => run(profiles), clock),
    profiles,
    usedAt: clock.monotonic(),
  };
}

async function observed(
  running: Promise<PluginCredential>,
  profiles: ReadonlySet<string>,
  observe: (run: PluginRun) => void,
): Promise<PluginCredential> {
  const startedAt = performance.now();
  const tell = (succeeded: boolean, expiresAt: number | undefined): void =>
    observe({
      profiles: [...profiles],
      succeeded,
      expiresAt,
      milliseconds: performance.now() - startedAt,
    });
  try {
    const answer = await running;
    tell(true, answer.expiresAt);
    return answer;
  } catch (error) {
    tell(false, undefined);
    throw error;
  }
}

function shutDown(): OperatorError {
  return new OperatorError(
    'RemoteClusterStale',
    'credentials are no longer given out: this process shuts down',
  );
}

/** At most `count` tasks at once, in the order of their arrival. */
function createSlots(count: number): { within<T>(task: () => Promise<T>): Promise<T> } {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async within(task) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
