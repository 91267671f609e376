import { createHash } from 'node:crypto';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { clusterProfileApi } from '../domain/api/cluster-profile.ts';
import { destinationOf } from '../domain/api/destination.ts';
import { isOperatorError, messageOf } from '../domain/errors.ts';
import { canonicalJson } from '../domain/manifests/canonical-json.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { listAt, recordAt, stringAt } from '../domain/manifests/object.ts';
import type { ComponentWorkflows } from './component-workflows.ts';
import type { ComponentWatch } from './watch-components.ts';

export interface ClusterProfileWatchOptions {
  readonly hub: ClusterClient;
  readonly workflows: ComponentWorkflows;
  readonly watches: readonly ComponentWatch[];
  readonly log: Logger;
}

/**
 * Wakes the components of a ClusterProfile when its access data or its health changed. Profiles are rewritten by
 * heartbeats all the time; those say nothing. Runs until the signal aborts, also on a hub that has no such kind yet.
 */
export async function watchClusterProfiles(
  options: ClusterProfileWatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const hashes = new Map<string, string>();
  const { apiVersion, kind } = clusterProfileApi;
  const wake = async (profile: string, hash: string, first: boolean): Promise<void> => {
    if (hashes.get(profile) === hash) return;
    hashes.set(profile, hash);
    if (!first) await tell(options, profile, hash);
  };
  const onInterruption = (error: unknown): void => {
    // A hub without the CRD is an ordinary hub.
    if (!isOperatorError(error, 'KindUnavailable'))
      options.log.warn({ kind }, `watch interrupted: ${messageOf(error)}`);
  };
  let synced = false;
  for await (const event of options.hub.watch({ apiVersion, kind, signal, onInterruption })) {
    if (event.type === 'SYNC') {
      const present = new Map(event.objects.map((object) => [nameOf(object), accessHash(object)]));
      const lost = [...hashes.keys()].filter((profile) => !present.has(profile));
      for (const profile of lost) await wake(profile, '', false);
      for (const [profile, hash] of present) await wake(profile, hash, !synced);
      synced = true;
    } else if (event.type === 'DELETED') await wake(nameOf(event.object), '', false);
    else await wake(nameOf(event.object), accessHash(event.object), false);
  }
}

async function tell(options: ClusterProfileWatchOptions, profile: string, hash: string): Promise<void> {
  for (const watch of options.watches) {
    for (const resource of watch.known.values()) {
      if (profileOf(resource.ref.kind, resource.object) !== profile) continue;
      options.log.info({ component: resource.ref, profile }, 'the ClusterProfile changed');
      await options.workflows.targetChanged(resource.ref, hash).catch((error: unknown) => {
        options.log.warn({ component: resource.ref }, `the workflow could not be woken: ${messageOf(error)}`);
      });
    }
  }
}

function profileOf(kind: Parameters<typeof destinationOf>[0], object: ManifestObject): string | undefined {
  try {
    const { profile } = destinationOf(kind, object);
    return profile === undefined ? undefined : `${profile.namespace}/${profile.name}`;
  } catch {
    return undefined;
  }
}

/** A hash of what decides whether and how the cluster can be reached; times and heartbeats are not in it. */
function accessHash(profile: ManifestObject): string {
  const status = recordAt(profile, 'status');
  const healthy = listAt(status, 'conditions').find(
    (condition) => stringAt(condition, 'type') === clusterProfileApi.healthCondition,
  );
  const facts = {
    access: status['accessProviders'] ?? null,
    credentials: status['credentialProviders'] ?? null,
    healthy: stringAt(healthy, 'status') ?? null,
  };
  return createHash('sha256').update(canonicalJson(facts)).digest('hex').slice(0, 16);
}

function nameOf(object: ManifestObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}
