import { targetNameOf } from '../../domain/api/destination.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { componentApi, componentKinds, formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import type { ComponentResource } from './components.ts';
import { resourceOf } from './components.ts';

/** The resources of one hub, watched once for everybody in this process who follows some of them. */
export interface ComponentFollower {
  /**
   * Tells all resources whose target has this name (of a ClusterProfile, or `local`), as soon as they are known and again
   * after each change of one, until the signal aborts.
   */
  follow(target: string, options: FollowOptions): void;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onChange: (resources: readonly ComponentResource[]) => void;
}

interface Watched {
  readonly resources: Map<string, ComponentResource>;
  readonly synced: Set<ComponentKind>;
  readonly followers: Set<() => void>;
  stop: AbortController | undefined;
}

export function createComponentFollower(
  hub: ClusterClient,
  report: (error: unknown) => void,
): ComponentFollower {
  const watched: Watched = {
    resources: new Map(),
    synced: new Set(),
    followers: new Set(),
    stop: undefined,
  };
  return {
    follow(target, { signal, onChange }) {
      if (signal.aborted) return;
      let told: string | undefined;
      const tell = (): void => {
        if (watched.synced.size < componentKinds.length) return;
        const found = named(watched, target);
        const text = versionsOf(found);
        if (text !== told) onChange(found);
        told = text;
      };
      watched.followers.add(tell);
      signal.addEventListener('abort', () => leave(watched, tell), { once: true });
      if (watched.stop === undefined) start(hub, watched, report);
      else tell();
    },
  };
}

function start(hub: ClusterClient, watched: Watched, report: (error: unknown) => void): void {
  watched.stop = new AbortController();
  for (const kind of componentKinds) {
    void watchKind(hub, watched, kind, { signal: watched.stop.signal, report });
  }
}

function leave(watched: Watched, follower: () => void): void {
  watched.followers.delete(follower);
  if (watched.followers.size > 0) return;
  watched.stop?.abort(new Error('nobody follows'));
  watched.stop = undefined;
  watched.resources.clear();
  watched.synced.clear();
}

async function watchKind(
  hub: ClusterClient,
  watched: Watched,
  kind: ComponentKind,
  options: { readonly signal: AbortSignal; readonly report: (error: unknown) => void },
): Promise<void> {
  const { signal, report } = options;
  const { apiVersion } = componentApi;
  const resource = (object: ManifestObject): ComponentResource => {
    const { namespace = '', name = '' } = object.metadata;
    return resourceOf({ kind, namespace, name }, object);
  };
  const set = (object: ManifestObject): void => {
    const found = resource(object);
    watched.resources.set(formatComponentRef(found.ref), found);
  };
  for await (const event of hub.watch({ apiVersion, kind, signal, onInterruption: report })) {
    // A watch that was stopped may bring one more event, when the next one has begun already.
    if (signal.aborted) return;
    if (event.type === 'SYNC') {
      const known = [...watched.resources].filter(([, { ref }]) => ref.kind === kind);
      for (const [key] of known) watched.resources.delete(key);
      event.objects.forEach(set);
      watched.synced.add(kind);
    } else if (event.type === 'DELETED') {
      watched.resources.delete(formatComponentRef(resource(event.object).ref));
    } else set(event.object);
    for (const follower of watched.followers) follower();
  }
}

function named(watched: Watched, target: string): readonly ComponentResource[] {
  const resources = [...watched.resources.values()];
  return resources.filter(({ ref, object }) => targetNameOf(ref.kind, object) === target);
}

function versionsOf(resources: readonly ComponentResource[]): string {
  return resources.map(({ uid, object }) => `${uid}/${object.metadata.resourceVersion ?? ''}`).join(' ');
}
