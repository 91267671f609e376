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

/**
 * Waits until the server serves every kind that the CRDs define. `created`: some of them were not there a moment ago, so
 * that the first look waits a little; otherwise kinds that are known to be served cost nothing. Throws CrdNotEstablished
 * naming those that are not.
 */
export async function establishedKinds(
  client: ClusterClient,
  { crds, created }: { readonly crds: readonly ManifestObject[]; readonly created: boolean },
  signal: AbortSignal,
): Promise<void> {
  let missing = crds.flatMap(servedKindsOf);
  const deadline = performance.now() + limitMs;
  // What is known may be of a CRD of the same name that was deleted before.
  if (created) client.invalidateDiscovery();
  for (let pauseMs = created ? firstPauseMs : 0; ; pauseMs = nextPause(pauseMs)) {
    await sleep(pauseMs, undefined, { signal });
    const answers = await Promise.all(missing.map((type) => client.serves(type.apiVersion, type.kind)));
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
