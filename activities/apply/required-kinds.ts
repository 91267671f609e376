import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { OperatorError } from '../../domain/errors.ts';
import { servedKindsOf } from '../../domain/manifests/served-kinds.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { groupOf, keyOf } from '../../domain/manifests/object.ts';

/** What an apply is going to send, and the plug-in that an object came from by its identity key. */
export interface WantedObjects {
  readonly objects: readonly ManifestObject[];
  readonly origins: ReadonlyMap<string, string>;
}

/**
 * Throws KindUnavailable for the first object whose kind the target does not serve and none of the objects defines. Costs
 * at most one look at the discovery documents, so it may be repeated often.
 */
export async function requireKinds(client: ClusterClient, wanted: WantedObjects): Promise<void> {
  const defined = new Set(wanted.objects.flatMap(servedKindsOf).map(typeKey));
  const first = new Map<string, ManifestObject>();
  for (const object of wanted.objects) {
    const key = typeKey(object);
    if (!defined.has(key) && !first.has(key)) first.set(key, object);
  }
  const candidates = [...first.values()];
  const served = await Promise.all(candidates.map((object) => client.serves(object.apiVersion, object.kind)));
  const missing = candidates.find((_, index) => served[index] !== true);
  if (missing !== undefined) throw unavailableKind(missing, wanted.origins, client.server);
}

/** Names the kind and, where a plug-in needs it, the plug-in in the Go operator's words. */
export function unavailableKind(
  object: ManifestObject,
  origins: ReadonlyMap<string, string>,
  server: string,
): OperatorError {
  const { apiVersion, kind } = object;
  const origin = origins.get(keyOf(object));
  const advice =
    origin === undefined ? '' : `please install ${origin} or disable the ${origin} ingress plugin: `;
  return new OperatorError(
    'KindUnavailable',
    `${advice}no matches for kind "${kind}" in version "${apiVersion}" on ${server} (${kind} of group ${groupOf(apiVersion)})`,
    { details: { apiVersion, kind } },
  );
}

function typeKey({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion}/${kind}`;
}
