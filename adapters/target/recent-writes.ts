import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** The activities of one pass follow each other within moments, as with the identity of a cluster. */
const maxAgeMs = 3_000;

/** By connection: a new one to the same cluster knows nothing. */
const writes = new WeakMap<ClusterClient, Map<string, ManifestObject>>();

/** Keeps for 3 s what this process wrote last under a name, so that its next reader need not ask the cluster. */
export function rememberWrite(client: ClusterClient, name: string, written: ManifestObject): void {
  const known = writes.get(client) ?? new Map<string, ManifestObject>();
  writes.set(client, known.set(name, written));
  setTimeout(() => {
    if (known.get(name) === written) known.delete(name);
  }, maxAgeMs).unref();
}

/** Undefined when this process wrote nothing of that name in the last 3 s, or removed it. */
export function recentWrite(client: ClusterClient, name: string): ManifestObject | undefined {
  return writes.get(client)?.get(name);
}

export function forgetWrite(client: ClusterClient, name: string): void {
  writes.get(client)?.delete(name);
}
