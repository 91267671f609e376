import type { ClusterClient, WatchEvent } from '../../adapters/kubernetes/cluster-client.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryKey } from '../../domain/manifests/inventory.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import { isWorkload, readinessOf } from '../../domain/manifests/readiness.ts';
import { templateDigest } from '../apply/template-digest.ts';

/** The workloads at one moment. */
export interface WorkloadView {
  /** Names of those that are not ready, in manifest order. */
  readonly waitingFor: readonly string[];
  /** Live objects of the wanted set. */
  readonly found: readonly ManifestObject[];
}

export interface WorkloadWork {
  readonly objects: readonly ManifestObject[];
  /** The inventory's entries; the watches begin while it is read. */
  readonly done: Promise<readonly InventoryEntry[]>;
  readonly pollIntervalMs: number;
}

interface WorkloadType {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
}

/** Yields a view after each change until the signal aborts; one watch for each kind and namespace. */
export async function* watchWorkloads(
  client: ClusterClient,
  work: WorkloadWork,
  stop: AbortSignal,
): AsyncGenerator<WorkloadView> {
  const workloads = work.objects.filter(isWorkload);
  const live = new Map<string, ManifestObject>();
  const ended = new AbortController();
  const signal = AbortSignal.any([stop, ended.signal]);
  const types = workloadTypes(workloads);
  let synced = 0;
  let wake: () => void = () => undefined;
  const watching = types.map(async (type) => {
    for await (const event of client.watch({ ...type, signal })) {
      if (event.type === 'SYNC') synced += 1;
      remember(live, event, type);
      wake();
    }
  });
  const failure = Promise.all(watching).then(() => undefined);
  failure.catch(() => undefined);
  try {
    const done = await work.done;
    const wanted = workloads.filter((object) => !isFinished(object, done));
    while (!stop.aborted) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (synced >= types.length) yield viewOf(wanted, live);
      await Promise.race([changed, failure, pause(work.pollIntervalMs, signal)]);
    }
  } finally {
    ended.abort(new Error('enough was seen'));
  }
}

function viewOf(wanted: readonly ManifestObject[], live: ReadonlyMap<string, ManifestObject>): WorkloadView {
  const waiting = wanted.filter((object) => {
    const found = live.get(keyOf(object));
    return found === undefined || !readinessOf(found).ready;
  });
  return {
    waitingFor: waiting.map((object) => object.metadata.name ?? ''),
    found: wanted.flatMap((object) => live.get(keyOf(object)) ?? []),
  };
}

function isFinished(object: ManifestObject, done: readonly InventoryEntry[]): boolean {
  if (object.kind !== 'Job') return false;
  const entry = done.find((candidate) => entryKey(candidate) === keyOf(object));
  return entry?.done === templateDigest(object);
}

function workloadTypes(objects: readonly ManifestObject[]): readonly WorkloadType[] {
  const types = new Map<string, WorkloadType>();
  for (const { apiVersion, kind, metadata } of objects) {
    const namespace = metadata.namespace ?? '';
    types.set(`${apiVersion}/${kind}/${namespace}`, { apiVersion, kind, namespace });
  }
  return [...types.values()];
}

function remember(live: Map<string, ManifestObject>, event: WatchEvent, type: WorkloadType): void {
  if (event.type === 'SYNC') {
    for (const [key, object] of live) if (isOfType(object, type)) live.delete(key);
    for (const object of event.objects) live.set(keyOf(object), object);
  } else if (event.type === 'DELETED') live.delete(keyOf(event.object));
  else live.set(keyOf(event.object), event.object);
}

function isOfType(object: ManifestObject, type: WorkloadType): boolean {
  return object.kind === type.kind && object.apiVersion === type.apiVersion;
}

/** Resolves after the time or when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
