import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { servedKindsOf } from '../../domain/manifests/served-kinds.ts';
import type { ServedKind } from '../../domain/manifests/served-kinds.ts';

/** The server takes some tenths of a second, on a busy one seconds; each look is one request. */
const firstPauseMs = 250;
const pauseGrowth = 1.5;
const maxPauseMs = 1_000;
const limitMs = 20_000;

/** The kinds that some CRDs define, while the server takes them up. */
export interface EstablishedKinds {
  /** Resolves when the server serves the kinds of these objects, as far as the CRDs define them; rejects as `all`. */
  of(objects: readonly ManifestObject[]): Promise<void>;
  /** Resolves when it serves every kind. Rejects with CrdNotEstablished, naming those that it does not, after 20 s. */
  readonly all: Promise<void>;
}

interface Definitions {
  readonly crds: readonly ManifestObject[];
  /** Some were not there a moment ago, so that the first look waits a little; else kinds that are known cost nothing. */
  readonly created: boolean;
}

/** Begins to wait until the server serves what the CRDs define. A failure is told to whoever awaits it, or to nobody. */
export function establishedKinds(
  client: ClusterClient,
  { crds, created }: Definitions,
  signal: AbortSignal,
): EstablishedKinds {
  const kinds = crds.flatMap(servedKindsOf);
  const waits = new Map(kinds.map((type) => [typeKey(type), Promise.withResolvers<void>()]));
  // What is known may be of a CRD of the same name that was deleted before.
  if (created) client.invalidateDiscovery();
  const served = (type: ServedKind): void => waits.get(typeKey(type))?.resolve();
  const all = untilServed(client, { kinds, created, served }, signal);
  all.catch((error: unknown) => {
    for (const { promise, reject } of waits.values()) {
      promise.catch(() => undefined);
      reject(error);
    }
  });
  return {
    all,
    async of(objects) {
      await Promise.all(objects.flatMap((object) => waits.get(typeKey(object))?.promise ?? []));
    },
  };
}

function typeKey({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion}/${kind}`;
}

interface Wait {
  readonly kinds: readonly ServedKind[];
  readonly created: boolean;
  /** Told of each kind as it is found. */
  readonly served: (type: ServedKind) => void;
}

async function untilServed(
  client: ClusterClient,
  { kinds, created, served }: Wait,
  signal: AbortSignal,
): Promise<void> {
  let missing = kinds;
  const deadline = performance.now() + limitMs;
  for (let pauseMs = created ? firstPauseMs : 0; ; pauseMs = nextPause(pauseMs)) {
    await sleep(pauseMs, undefined, { signal });
    const answers = await Promise.all(missing.map((type) => client.serves(type.apiVersion, type.kind)));
    missing.filter((_, index) => answers[index] === true).forEach(served);
    missing = missing.filter((_, index) => answers[index] !== true);
    if (missing.length === 0) return;
    if (performance.now() > deadline) throw notEstablished(missing, client.server);
  }
}

function nextPause(pauseMs: number): number {
  return Math.min(Math.max(pauseMs * pauseGrowth, firstPauseMs), maxPauseMs);
}

function notEstablished(missing: readonly ServedKind[], server: string): OperatorError {
  const names = [...new Set(missing.map((type) => type.crd))];
  return new OperatorError(
    'CrdNotEstablished',
    `CustomResourceDefinitions ${names.slice(0, 5).join(', ')} were applied, but ${server} does not serve them; ` +
      'look at their conditions NamesAccepted and Established',
  );
}
