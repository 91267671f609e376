import { OperatorError } from '../../domain/errors.ts';
import type { ClusterClient, WatchEvent, WatchOptions } from '../kubernetes/cluster-client.ts';

/** A client that can be taken out of service under the hands of those who hold it. */
export interface RetirableClient {
  /** Its `close` does nothing: whoever holds the handle below owns the connection. */
  readonly client: ClusterClient;
  /**
   * Every later call rejects with RemoteClusterStale, watches end with it, calls under way finish; then the connection is
   * closed. Idempotent; resolves when it is closed.
   */
  retire(): Promise<void>;
  /** Milliseconds without a call; 0 while one is under way. */
  idleMs(): number;
}

export interface RetirableClientOptions {
  /** The message of RemoteClusterStale. */
  readonly staleMessage: string;
  /** Puts a failure of any call into the words of its spoke. */
  readonly explain: (error: unknown) => unknown;
}

export function createRetirableClient(
  inner: ClusterClient,
  options: RetirableClientOptions,
): RetirableClient {
  const use = createUse(inner, options);
  const during: Use['during'] = (call) => use.during(call);
  const client: ClusterClient = {
    server: inner.server,
    get: (ref, read) => during(() => inner.get(ref, read)),
    list: (apiVersion, kind, list) => during(() => inner.list(apiVersion, kind, list)),
    apply: (object, apply) => during(() => inner.apply(object, apply)),
    create: (object, call) => during(() => inner.create(object, call)),
    replace: (object, call) => during(() => inner.replace(object, call)),
    patch: (ref, patch, call) => during(() => inner.patch(ref, patch, call)),
    delete: (ref, remove) => during(() => inner.delete(ref, remove)),
    changes: (look) => during(() => inner.changes(look)),
    watch: (watch) => watchUntilRetired(inner, watch, use),
    serverVersion: (call) => during(() => inner.serverVersion(call)),
    invalidateDiscovery: () => inner.invalidateDiscovery(),
    serves: (apiVersion, kind, call) => during(() => inner.serves(apiVersion, kind, call)),
    listableKinds: (call) => during(() => inner.listableKinds(call)),
    resetCircuit: () => inner.resetCircuit(),
    close: () => Promise.resolve(),
  };
  return { client, retire: () => use.retire(), idleMs: () => use.idleMs() };
}

interface Use {
  readonly retired: AbortSignal;
  during<T>(call: () => Promise<T>): Promise<T>;
  retire(): Promise<void>;
  idleMs(): number;
}

function createUse(inner: ClusterClient, options: RetirableClientOptions): Use {
  const retirement = new AbortController();
  const closed = Promise.withResolvers<void>();
  let underWay = 0;
  let usedAt = performance.now();

  const closeWhenUnused = (): void => {
    if (underWay === 0 && retirement.signal.aborted) inner.close().then(closed.resolve, closed.resolve);
  };

  return {
    retired: retirement.signal,
    async during(call) {
      retirement.signal.throwIfAborted();
      underWay += 1;
      try {
        return await call();
      } catch (error) {
        throw options.explain(error);
      } finally {
        underWay -= 1;
        usedAt = performance.now();
        closeWhenUnused();
      }
    },
    async retire() {
      if (!retirement.signal.aborted) {
        retirement.abort(new OperatorError('RemoteClusterStale', options.staleMessage));
        closeWhenUnused();
      }
      await closed.promise;
    },
    idleMs: () => (underWay > 0 ? 0 : performance.now() - usedAt),
  };
}

async function* watchUntilRetired(
  inner: ClusterClient,
  options: WatchOptions & { readonly signal: AbortSignal },
  use: Use,
): AsyncGenerator<WatchEvent> {
  use.retired.throwIfAborted();
  const ended = Promise.withResolvers<void>();
  // A watch counts as a call under way for as long as it lasts.
  const lasting = use.during(() => ended.promise);
  try {
    const signal = AbortSignal.any([options.signal, use.retired]);
    yield* inner.watch({ ...options, signal });
  } finally {
    ended.resolve();
    await lasting;
  }
  if (!options.signal.aborted) use.retired.throwIfAborted();
}
