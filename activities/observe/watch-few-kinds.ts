import type { ClusterClient, WatchEvent } from '../../adapters/kubernetes/cluster-client.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { EntryGroup, Sighting } from './compare-target.ts';
import { componentSelector } from './compare-target.ts';

/** What people and programs change most, and what hurts most: noticed at once. Everything else at the interval. */
const watchedKinds: ReadonlySet<string> = new Set(['apps/v1/Deployment', 'v1/ConfigMap', 'v1/Service']);

export function isWatched(group: EntryGroup, installNamespace: string): boolean {
  return group.namespace === installNamespace && watchedKinds.has(`${group.apiVersion}/${group.kind}`);
}

export interface FewKinds {
  readonly client: ClusterClient;
  readonly component: ComponentKind;
  readonly signal: AbortSignal;
  /** The group as it is expected now. */
  readonly current: () => EntryGroup;
  readonly see: (sightings: readonly Sighting[]) => void;
  readonly onInterruption: (error: unknown) => void;
}

/** Watches the metadata of one group until the signal aborts; rejects when its client is taken out of service. */
export async function watchGroup(parts: FewKinds): Promise<void> {
  const { apiVersion, kind, namespace } = parts.current();
  const events = parts.client.watch({
    apiVersion,
    kind,
    namespace,
    labelSelector: componentSelector(parts.component),
    metadataOnly: true,
    managedFields: true,
    lasting: true,
    signal: parts.signal,
    onInterruption: parts.onInterruption,
  });
  for await (const event of events) parts.see(sightingsOf(event, parts.current()));
}

function sightingsOf(event: WatchEvent, group: EntryGroup): readonly Sighting[] {
  if (event.type === 'SYNC') {
    const present = new Map(event.objects.map((object) => [keyOf(object), object.metadata]));
    return group.entries.map((entry) => [entryKey(entry), present.get(entryKey(entry))]);
  }
  return [[keyOf(event.object), event.type === 'DELETED' ? undefined : event.object.metadata]];
}
