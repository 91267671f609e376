import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import { parseComponentRef } from '../domain/api/component-ref.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { messageOf } from '../domain/errors.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { cleanupWorkflowId } from '../workflows/component-workflow-id.ts';
import type { CleanupWorkflows } from './cleanup-workflows.ts';

/** A removal that goes on without its resource. */
export interface PendingCleanup {
  readonly ref: ComponentRef;
  readonly uid: string;
  /** `<namespace>/<name>` of the ClusterProfile, or `local`. */
  readonly profile: string;
}

/** The pending cleanups as last seen, each with a workflow. */
export interface CleanupWatch {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Lists them anew and makes sure that each has a workflow: an event may be lost, and somebody may have ended one. */
  ensureAll(): Promise<void>;
  /** Wakes those whose ClusterProfile changed. */
  targetChanged(profile: string, hash: string): Promise<void>;
}

export interface CleanupWatchOptions {
  readonly hub: ClusterClient;
  readonly workflows: CleanupWorkflows;
  readonly log: Logger;
  readonly operatorNamespace: string;
  readonly hubId: string;
}

export function watchCleanups(options: CleanupWatchOptions): CleanupWatch {
  const { hub, workflows, log, hubId } = options;
  const fieldsOf = ({ ref, uid, profile }: PendingCleanup): object => ({
    component: ref,
    spoke: profile,
    workflowId: cleanupWorkflowId(ref, uid, hubId),
  });
  const known = new Map<string, PendingCleanup>();
  const ensure = async (cleanup: PendingCleanup): Promise<void> => {
    try {
      await workflows.ensure(cleanup);
    } catch (error) {
      log.warn(fieldsOf(cleanup), `the cleanup could not be started: ${messageOf(error)}`);
    }
  };
  const see = async (object: ManifestObject): Promise<void> => {
    const cleanup = pendingCleanup(object);
    if (cleanup === undefined) return;
    known.set(nameOf(object), cleanup);
    await ensure(cleanup);
  };
  const know = async (objects: readonly ManifestObject[]): Promise<void> => {
    known.clear();
    for (const object of objects) await see(object);
  };
  const selection = {
    namespace: options.operatorNamespace,
    labelSelector: `${wireNames.cleanupLabel}=${wireNames.cleanupPending}`,
    metadataOnly: true,
  };
  return {
    async targetChanged(profile, hash) {
      for (const cleanup of known.values()) {
        if (cleanup.profile !== profile) continue;
        await workflows.targetChanged(cleanup, hash).catch((error: unknown) => {
          log.warn(fieldsOf(cleanup), `the cleanup could not be woken: ${messageOf(error)}`);
        });
      }
    },
    async ensureAll() {
      await know(await hub.list('v1', 'ConfigMap', selection));
    },
    async run(signal) {
      const watch = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        ...selection,
        signal,
        onInterruption: (error: unknown) =>
          log.warn({}, `watch of cleanups interrupted: ${messageOf(error)}`),
      };
      for await (const event of hub.watch(watch)) {
        if (event.type === 'SYNC') await know(event.objects);
        else if (event.type === 'DELETED') known.delete(nameOf(event.object));
        else await see(event.object);
      }
    },
  };
}

function pendingCleanup(object: ManifestObject): PendingCleanup | undefined {
  const annotations = object.metadata.annotations ?? {};
  const ref = parseComponentRef(annotations[wireNames.componentAnnotation] ?? '');
  const uid = annotations[wireNames.uidAnnotation];
  if (ref === undefined || uid === undefined) return undefined;
  return { ref, uid, profile: annotations[wireNames.clusterProfileAnnotation] ?? '' };
}

function nameOf(object: ManifestObject): string {
  return object.metadata.name ?? '';
}
