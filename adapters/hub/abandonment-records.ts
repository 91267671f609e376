import { createHash } from 'node:crypto';

import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { formatComponentRef, parseComponentRef } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** What stayed behind on a target when a resource went without a complete cleanup. */
export interface Abandonment {
  readonly ref: ComponentRef;
  readonly uid: string;
  readonly profile: string;
  readonly server: string;
  readonly clusterUID: string;
  readonly installNamespace: string;
  readonly why: string;
  readonly requestedBy: string;
  /** `Kind namespace/name`, in the order of removal. */
  readonly remaining: readonly string[];
}

/** ConfigMaps in the operator's namespace; they outlive the resource and its namespace. */
export interface AbandonmentRecords {
  /** Idempotent: one record for each resource UID and cluster. Must succeed before a finalizer is released by decision. */
  write(abandonment: Abandonment): Promise<void>;
  /** What was recorded has been removed after all. Success when nothing was recorded. */
  settle(of: Pick<Abandonment, 'uid' | 'clusterUID'>, cleanedAt: string): Promise<void>;
  /** What is recorded now, objects counted only. */
  count(signal?: AbortSignal): Promise<readonly AbandonedCount[]>;
}

export interface AbandonedCount {
  readonly ref: ComponentRef;
  readonly profile: string;
  readonly objects: number;
}

export const abandonmentLabel = 'fleet.knative.dev/abandoned';

export function createAbandonmentRecords(client: ClusterClient, namespace: string): AbandonmentRecords {
  return {
    async write(abandonment) {
      const name = recordName(abandonment);
      const object: ManifestObject = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name,
          namespace,
          labels: { [wireNames.managedByLabel]: wireNames.fieldManager, [abandonmentLabel]: 'true' },
        },
        data: {
          component: formatComponentRef(abandonment.ref),
          uid: abandonment.uid,
          clusterProfile: abandonment.profile,
          server: abandonment.server,
          clusterUID: abandonment.clusterUID,
          installNamespace: abandonment.installNamespace,
          why: abandonment.why,
          requestedBy: abandonment.requestedBy,
          remaining: abandonment.remaining.join('\n'),
        },
      };
      await writeOnce(client, object);
    },
    async settle(of, cleanedAt) {
      const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: recordName(of) };
      try {
        await client.patch(ref, { type: 'merge', body: { data: { remaining: '', cleanedAt } } });
      } catch (error) {
        if (!isOperatorError(error, 'NotFound')) throw error;
      }
    },
    async count(signal) {
      const labelSelector = `${abandonmentLabel}=true`;
      const found = await client.list('v1', 'ConfigMap', { namespace, labelSelector, signal });
      return found.flatMap(countOf);
    },
  };
}

function recordName({ uid, clusterUID }: Pick<Abandonment, 'uid' | 'clusterUID'>): string {
  const hash = createHash('sha256').update(`${uid}/${clusterUID}`).digest('hex').slice(0, 20);
  return `${wireNames.fieldManager}-abandoned-${hash}`;
}

function countOf(record: ManifestObject): readonly AbandonedCount[] {
  const ref = parseComponentRef(stringAt(record, 'data', 'component') ?? '');
  if (ref === undefined) return [];
  const remaining = stringAt(record, 'data', 'remaining') ?? '';
  const objects = remaining === '' ? 0 : remaining.split('\n').length;
  return [{ ref, profile: stringAt(record, 'data', 'clusterProfile') ?? '', objects }];
}

async function writeOnce(client: ClusterClient, object: ManifestObject): Promise<void> {
  try {
    await client.create(object);
  } catch (error) {
    if (!isOperatorError(error, 'Conflict')) throw error;
    const { name, namespace } = object.metadata;
    await client.patch(
      { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: name ?? '' },
      { type: 'merge', body: { data: object['data'] } },
    );
  }
}
