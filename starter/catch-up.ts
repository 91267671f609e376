import type { ComponentResource } from '../adapters/hub/components.ts';
import { objectRefOf } from '../adapters/hub/components.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { ComponentKind, ComponentRef } from '../domain/api/component-ref.ts';
import { componentApi, formatComponentRef } from '../domain/api/component-ref.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';

export interface CatchUpOptions {
  readonly hub: ClusterClient;
  readonly kind: ComponentKind;
  readonly known: ReadonlyMap<string, ComponentResource>;
  readonly see: (object: ManifestObject) => Promise<void>;
  readonly lose: (ref: ComponentRef) => Promise<void>;
}

/**
 * Compares what is known of all resources of a kind with a list of them, and reads again what differs: events may have
 * been lost, or have come out of order. The list itself decides nothing, for the watch may be ahead of it.
 */
export async function catchUp(options: CatchUpOptions): Promise<void> {
  const { hub, kind, known } = options;
  const listed = await hub.list(componentApi.apiVersion, kind, { metadataOnly: true });
  const present = new Set<string>();
  for (const { metadata } of listed) {
    const ref = { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    const key = formatComponentRef(ref);
    present.add(key);
    const before = known.get(key)?.object.metadata.resourceVersion;
    if (before !== metadata.resourceVersion) await readAgain(options, ref);
  }
  const absent = [...known].filter(([key]) => !present.has(key));
  for (const [, { ref }] of absent) await readAgain(options, ref);
}

async function readAgain({ hub, see, lose }: CatchUpOptions, ref: ComponentRef): Promise<void> {
  const object = await hub.get(objectRefOf(ref));
  await (object === undefined ? lose(ref) : see(object));
}
