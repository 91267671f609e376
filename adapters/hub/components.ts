import { componentApi, formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import type { ClusterClient, ObjectRef } from '../kubernetes/cluster-client.ts';

/** One resource as read from the hub. */
export interface ComponentResource {
  readonly ref: ComponentRef;
  readonly uid: string;
  readonly generation: number;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly status: JsonRecord;
  readonly object: ManifestObject;
}

/** What becomes of the present status; told as well which resource it belongs to. */
export type StatusChange = (status: JsonRecord, resource: ComponentResource) => JsonRecord;

/** The hub's side of the resources. Every method rejects with HubUnavailable when the hub does not answer. */
export interface HubComponents {
  /** Undefined when it does not exist. */
  read(ref: ComponentRef, signal?: AbortSignal): Promise<ComponentResource | undefined>;
  /** Rejects with ResourceGone when the resource does not exist or has another UID. */
  require(ref: ComponentRef, uid: string, signal?: AbortSignal): Promise<ComponentResource>;
  /**
   * Writes what `change` makes of the present status, with resourceVersion; repeats on a conflict with a fresh read.
   * Writes nothing when the result is equal. Returns whether it wrote.
   */
  updateStatus(ref: ComponentRef, uid: string, change: StatusChange): Promise<boolean>;
  /** Idempotent. */
  addFinalizer(resource: ComponentResource): Promise<void>;
  /** Removes our finalizer from exactly this UID; success when it is gone already. */
  releaseFinalizer(ref: ComponentRef, uid: string): Promise<void>;
  /** Sets annotations; null removes one. */
  annotate(ref: ComponentRef, uid: string, annotations: Record<string, string | null>): Promise<void>;
}

const maxAttempts = 8;

export function createHubComponents(client: ClusterClient): HubComponents {
  const read: HubComponents['read'] = async (ref, signal) => {
    const object = await onHub(() => client.get(objectRefOf(ref), { signal }));
    return object === undefined ? undefined : resourceOf(ref, object);
  };

  const require: HubComponents['require'] = async (ref, uid, signal) => {
    const resource = await read(ref, signal);
    if (resource === undefined || resource.uid !== uid) throw gone(ref);
    return resource;
  };

  return {
    read,
    require,
    async updateStatus(ref, uid, change) {
      for (let attempt = 1; ; attempt++) {
        const resource = await require(ref, uid);
        const status = change(resource.status, resource);
        if (JSON.stringify(status) === JSON.stringify(resource.status)) return false;
        try {
          await onHub(() => client.replace({ ...resource.object, status }, { subresource: 'status' }));
          return true;
        } catch (error) {
          if (!isOperatorError(error, 'Conflict') || attempt === maxAttempts) throw error;
        }
      }
    },
    async addFinalizer(resource) {
      const finalizer = componentApi[resource.ref.kind].finalizer;
      if (resource.finalizers.includes(finalizer)) return;
      const body = {
        metadata: {
          resourceVersion: resource.object.metadata.resourceVersion,
          finalizers: [...resource.finalizers, finalizer],
        },
      };
      await onHub(() => client.patch(objectRefOf(resource.ref), { type: 'merge', body }));
    },
    async releaseFinalizer(ref, uid) {
      await releaseFinalizer(client, read, ref, uid);
    },
    async annotate(ref, uid, annotations) {
      const body = { metadata: { uid, annotations } };
      await onHub(() => client.patch(objectRefOf(ref), { type: 'merge', body }));
    },
  };
}

async function releaseFinalizer(
  client: ClusterClient,
  read: HubComponents['read'],
  ref: ComponentRef,
  uid: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const resource = await read(ref);
    if (resource === undefined || resource.uid !== uid) return;
    const index = resource.finalizers.indexOf(componentApi[ref.kind].finalizer);
    if (index < 0) return;
    const path = `/metadata/finalizers/${String(index)}`;
    try {
      const operations = [
        { op: 'test', path: '/metadata/uid', value: uid },
        { op: 'test', path, value: resource.finalizers[index] },
        { op: 'remove', path },
      ];
      await onHub(() => client.patch(objectRefOf(ref), { type: 'json', operations }));
      return;
    } catch (error) {
      if (isOperatorError(error, 'NotFound')) return;
      if (attempt === maxAttempts) throw error;
    }
  }
}

export function objectRefOf(ref: ComponentRef): ObjectRef {
  return { apiVersion: componentApi.apiVersion, kind: ref.kind, namespace: ref.namespace, name: ref.name };
}

/** The view of a resource that the rest of the code uses. */
export function resourceOf(ref: ComponentRef, object: ManifestObject): ComponentResource {
  const { metadata } = object;
  return {
    ref,
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    deleting: metadata.deletionTimestamp !== undefined,
    finalizers: metadata.finalizers ?? [],
    annotations: metadata.annotations ?? {},
    status: recordAt(object, 'status'),
    object,
  };
}

function gone(ref: ComponentRef): OperatorError {
  return new OperatorError(
    'ResourceGone',
    `${formatComponentRef(ref)} no longer exists on the hub with the UID that this pass serves`,
  );
}

const hubFailures: ReadonlySet<string> = new Set([
  'SpokeUnreachable',
  'ApiTransient',
  'SpokeForbidden',
  'RemoteClientCreationFailed',
]);

/** Runs a call to the hub and names the hub, not a spoke, when it fails. */
export async function onHub<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isOperatorError(error) || !hubFailures.has(error.kind)) throw error;
    throw new OperatorError('HubUnavailable', `the hub API server cannot be used: ${error.message}`, {
      cause: error,
    });
  }
}
