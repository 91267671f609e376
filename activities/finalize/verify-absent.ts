import { setTimeout as sleep } from 'node:timers/promises';

import { Context, heartbeat } from '@temporalio/activity';

import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { InventoryEntry } from '../../domain/manifests/inventory.ts';
import { entryIdentity } from '../../domain/manifests/inventory.ts';
import { describeIdentity } from '../../domain/manifests/object.ts';
import { entryRef } from './remove-entries.ts';
import type { Removal } from './remove-entries.ts';

const limitMs = 15_000;
const firstPauseMs = 100;
const maxPauseMs = 1_000;

/** Waits a little for what is being deleted; what is still there then is named with what holds it. */
export async function verifyAbsent(client: ClusterClient, removal: Removal): Promise<Removal> {
  const failed = removal.blockers;
  let waiting = removal.remaining;
  const removed: InventoryEntry[] = [];
  const deadline = performance.now() + limitMs;
  let pauseMs = firstPauseMs;
  let holders: readonly string[] = failed;
  while (waiting.length > 0) {
    const found = await Promise.all(waiting.map((entry) => holder(client, entry)));
    removed.push(...waiting.filter((_, index) => found[index] === undefined));
    holders = found.filter((text) => text !== undefined);
    waiting = waiting.filter((_, index) => found[index] !== undefined);
    if (waiting.length === 0 || performance.now() > deadline) break;
    heartbeat({ waitingFor: waiting.length });
    await sleep(pauseMs, undefined, { signal: Context.current().cancellationSignal });
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
  return {
    removed,
    remaining: waiting,
    blockers: waiting.length === 0 ? [] : [...new Set([...holders, ...failed])],
  };
}

async function holder(client: ClusterClient, entry: InventoryEntry): Promise<string | undefined> {
  const name = describeIdentity(entryIdentity(entry));
  try {
    const found = await client.get(entryRef(entry), { metadataOnly: true });
    if (found === undefined || (entry.uid !== undefined && found.metadata.uid !== entry.uid))
      return undefined;
    const finalizers = found.metadata.finalizers ?? [];
    return finalizers.length === 0
      ? `${name} is still there`
      : `${name} is held by finalizer ${finalizers.join(', ')}`;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
