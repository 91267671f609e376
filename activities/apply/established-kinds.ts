import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { servedKindsOf } from '../../domain/manifests/served-kinds.ts';
import type { ServedKind } from '../../domain/manifests/served-kinds.ts';

const pollMs = 100;
const limitMs = 20_000;

/** Waits until the server serves every kind that the CRDs define. Throws CrdNotEstablished naming those it does not. */
export async function establishedKinds(
  client: ClusterClient,
  crds: readonly ManifestObject[],
  signal: AbortSignal,
): Promise<void> {
  let missing = crds.flatMap(servedKindsOf);
  const deadline = performance.now() + limitMs;
  client.invalidateDiscovery();
  for (;;) {
    const answers = await Promise.all(missing.map((type) => client.serves(type.apiVersion, type.kind)));
    missing = missing.filter((_, index) => answers[index] !== true);
    if (missing.length === 0) return;
    if (performance.now() > deadline) throw notEstablished(missing, client.server);
    await sleep(pollMs, undefined, { signal });
    client.invalidateDiscovery();
  }
}

function notEstablished(missing: readonly ServedKind[], server: string): OperatorError {
  const names = [...new Set(missing.map((type) => type.crd))];
  return new OperatorError(
    'CrdNotEstablished',
    `CustomResourceDefinitions ${names.slice(0, 5).join(', ')} were applied, but ${server} does not serve them; ` +
      'look at their conditions NamesAccepted and Established',
  );
}
