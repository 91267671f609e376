import { setTimeout as sleep } from 'node:timers/promises';

import { accessHash } from '../adapters/access/profile-access.ts';
import { servedProfileVersion } from '../adapters/hub/cluster-profiles.ts';
import type { ClusterClient, WatchEvent } from '../adapters/kubernetes/cluster-client.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { clusterProfileApi, parseClusterProfile } from '../domain/api/cluster-profile.ts';
import { isOperatorError, messageOf } from '../domain/errors.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import type { ComponentWorkflows } from './component-workflows.ts';
import { logFields } from './log-fields.ts';
import { profileOf } from './profile-of.ts';
import type { CleanupWatch } from './watch-cleanups.ts';
import type { ComponentWatch } from './watch-components.ts';

export interface ClusterProfileWatchOptions {
  readonly hub: ClusterClient;
  readonly workflows: ComponentWorkflows;
  readonly watches: readonly ComponentWatch[];
  readonly cleanups: CleanupWatch;
  readonly log: Logger;
  readonly hubId: string;
}

const lookAgainMs = 10_000;

/**
 * Wakes the components of a ClusterProfile when its access data or its health changed. Profiles are rewritten by
 * heartbeats all the time; those say nothing. Runs until the signal aborts, also on a hub that has no such kind yet, or
 * whose version of it is replaced by another one.
 */
export async function watchClusterProfiles(
  options: ClusterProfileWatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const changes = createChanges((profile, hash) => tell(options, profile, hash));
  while (!signal.aborted) {
    const apiVersion = await servedVersion(options, signal);
    if (apiVersion !== undefined) await follow(options, { apiVersion, changes }, signal);
    else {
      await changes.take({ type: 'SYNC', objects: [] });
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function servedVersion(
  { hub, log }: ClusterProfileWatchOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    try {
      return await servedProfileVersion(hub, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      log.warn({}, `whether there are ClusterProfiles cannot be found out yet: ${messageOf(error)}`);
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Watches one version until the hub does not serve it any more. */
async function follow(
  { hub, log }: ClusterProfileWatchOptions,
  served: { readonly apiVersion: string; readonly changes: Changes },
  signal: AbortSignal,
): Promise<void> {
  const { apiVersion, changes } = served;
  const { kind } = clusterProfileApi;
  const withdrawn = new AbortController();
  const onInterruption = (error: unknown): void => {
    if (isOperatorError(error, 'KindUnavailable')) withdrawn.abort();
    else log.warn({ kind }, `watch interrupted: ${messageOf(error)}`);
  };
  const until = AbortSignal.any([signal, withdrawn.signal]);
  for await (const event of hub.watch({ apiVersion, kind, signal: until, onInterruption }))
    await changes.take(event);
}

interface Changes {
  take(event: WatchEvent): Promise<void>;
}

/** Knows the access data of each profile as it was last seen; what is there at the beginning is no change. */
function createChanges(wake: (profile: string, hash: string) => Promise<void>): Changes {
  const hashes = new Map<string, string>();
  let synced = false;
  const note = async (profile: string, hash: string, first: boolean): Promise<void> => {
    if ((hashes.get(profile) ?? '') === hash) return;
    hashes.set(profile, hash);
    if (!first) await wake(profile, hash);
  };
  return {
    async take(event) {
      if (event.type === 'DELETED') return note(nameOf(event.object), '', false);
      if (event.type !== 'SYNC') return note(nameOf(event.object), hashOf(event.object), false);
      const present = new Map(event.objects.map((object) => [nameOf(object), hashOf(object)]));
      const lost = [...hashes.keys()].filter((profile) => !present.has(profile));
      for (const profile of lost) await note(profile, '', false);
      for (const [profile, hash] of present) await note(profile, hash, !synced);
      synced = true;
    },
  };
}

async function tell(options: ClusterProfileWatchOptions, profile: string, hash: string): Promise<void> {
  await options.cleanups.targetChanged(profile, hash);
  for (const watch of options.watches) {
    for (const resource of watch.known.values()) {
      if (profileOf(resource) !== profile) continue;
      const fields = logFields(resource, options.hubId);
      options.log.info(fields, 'the ClusterProfile changed');
      await options.workflows.targetChanged(resource.ref, hash).catch((error: unknown) => {
        options.log.warn(fields, `the workflow could not be woken: ${messageOf(error)}`);
      });
    }
  }
}

/** One that cannot be read is another one when it can. */
function hashOf(profile: ManifestObject): string {
  try {
    return accessHash(parseClusterProfile(profile)).slice(0, 16);
  } catch {
    return 'unreadable';
  }
}

function nameOf(object: ManifestObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}
