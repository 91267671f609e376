import { createHash } from 'node:crypto';

import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import { isOperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { EventReason } from '../../domain/status/events.ts';
import { kubernetesTime } from '../../domain/status/kubernetes-time.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';

export interface ComponentEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: EventReason;
  readonly message: string;
}

/** Kubernetes events on the resources, best effort: a failure to write one is never a failure of a pass. */
export interface EventRecorder {
  /** Equal events of one resource are one object whose count and last time move. */
  record(ref: ComponentRef, uid: string, event: ComponentEvent): Promise<void>;
}

export function createEventRecorder(client: ClusterClient, report: (error: unknown) => void): EventRecorder {
  return {
    async record(ref, uid, event) {
      try {
        await upsert(client, ref, uid, event);
      } catch (error) {
        report(error);
      }
    },
  };
}

async function upsert(
  client: ClusterClient,
  ref: ComponentRef,
  uid: string,
  event: ComponentEvent,
): Promise<void> {
  const now = kubernetesTime(new Date());
  const message = event.message.slice(0, 1000);
  const key = createHash('sha256').update(`${uid}/${event.type}/${event.reason}/${message}`).digest('hex');
  const name = `${ref.name.slice(0, 200)}.${key.slice(0, 16)}`;
  const object: ManifestObject = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: ref.namespace },
    involvedObject: {
      apiVersion: componentApi.apiVersion,
      kind: ref.kind,
      namespace: ref.namespace,
      name: ref.name,
      uid,
    },
    type: event.type,
    reason: event.reason,
    message,
    source: { component: `${ref.kind.toLowerCase()}-controller` },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  try {
    await client.create(object);
  } catch (error) {
    if (!isOperatorError(error, 'Conflict')) throw error;
    await repeat(client, object, now);
  }
}

async function repeat(client: ClusterClient, object: ManifestObject, now: string): Promise<void> {
  const ref = {
    apiVersion: 'v1',
    kind: 'Event',
    namespace: object.metadata.namespace,
    name: object.metadata.name ?? '',
  };
  const known = await client.get(ref);
  const count = typeof known?.['count'] === 'number' ? known['count'] : 1;
  await client.patch(ref, { type: 'merge', body: { count: count + 1, lastTimestamp: now } });
}
