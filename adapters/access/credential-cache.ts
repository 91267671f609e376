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
}

/** Credentials of all spokes, in the memory of this process only. */
export interface CredentialCache {
  /** The source for one plugin call; equal calls share one source, so one run serves them all. */
  source(call: PluginCall): CredentialSource;
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
  const sources = new Map<string, { source: CredentialSource; usedAt: number }>();

  const run = (call: PluginCall): Promise<PluginCredential> =>
    slots.within(() => {
      if (closed.signal.aborted) throw shutDown();
      return options.run(call, closed.signal);
    });

  const prune = (): void => {
    const oldest = clock.monotonic() - unusedAfterMs;
    for (const [key, entry] of sources) if (entry.usedAt < oldest) sources.delete(key);
  };

  return {
    source(call) {
      prune();
      const key = canonicalHash(call);
      const source = sources.get(key)?.source ?? createCredentialSource(() => run(call), clock);
      sources.set(key, { source, usedAt: clock.monotonic() });
      return source;
    },
    close() {
      closed.abort(shutDown());
      sources.clear();
    },
  };
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
