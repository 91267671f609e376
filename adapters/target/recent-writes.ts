import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** The activities of one pass follow each other within moments, as with the identity of a cluster. */
const maxAgeMs = 3_000;

/** By connection: a new one to the same cluster knows nothing. */
const writes = new WeakMap<ClusterClient, Map<string, ManifestObject>>();

/** Keeps for 3 s what this process wrote last under `<namespace>/<name>`, so that its next reader need not ask the cluster. */
export function rememberWrite(client: ClusterClient, key: string, written: ManifestObject): void {
  const known = writes.get(client) ?? new Map<string, ManifestObject>();
  writes.set(client, known.set(key, written));
  setTimeout(() => {
    if (known.get(key) === written) known.delete(key);
  }, maxAgeMs).unref();
}

/** Undefined when this process wrote nothing under that key in the last 3 s, or removed it. */
export function recentWrite(client: ClusterClient, key: string): ManifestObject | undefined {
  return writes.get(client)?.get(key);
}

export function forgetWrite(client: ClusterClient, key: string): void {
  writes.get(client)?.delete(key);
}
