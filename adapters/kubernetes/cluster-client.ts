import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';

/** What to read or write: group and version from apiVersion, the resource path by discovery. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent or empty for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export interface CallOptions {
  /** Aborts the request; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Ask for PartialObjectMetadata only. */
  readonly metadataOnly?: boolean;
}

export interface ListOptions extends ReadOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ApplyOptions extends CallOptions {
  /** Take over fields that other managers own; default false. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
  /** The answer carries metadata only; saves bytes when the body is not needed. */
  readonly metadataOnly?: boolean;
}

export interface DeleteOptions extends CallOptions {
  /** Delete only this incarnation: a mismatch rejects with kind Conflict. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly dryRun?: boolean;
}

/** One field that another manager owns, from a 409 answer to a server-side apply. */
export interface FieldConflict {
  readonly field: string;
  readonly manager: string;
}

export type WatchEvent =
  /**
   * The initial set, complete: whatever a consumer knew and is not in it is gone. Sent again after each relist. Empty as
   * soon as the next event is asked for.
   */
  | { readonly type: 'SYNC'; objects: readonly ManifestObject[] }
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ManifestObject };

export interface WatchOptions extends ListOptions {
  readonly apiVersion: string;
  readonly kind: string;
  /** Objects keep their managedFields; default false. */
  readonly managedFields?: boolean;
  /** For a watch that is held for hours and compared with lists besides: rarer new streams, no relist; default false. */
  readonly lasting?: boolean;
  /** Told about each interruption and its retry; for logs and metrics. */
  readonly onInterruption?: (error: unknown) => void;
}

export interface ChangesOptions extends ListOptions {
  readonly apiVersion: string;
  readonly kind: string;
  /** `until` of an earlier answer; absent: everything. */
  readonly since?: string | undefined;
}

/** What happened to objects of a kind since an earlier look. */
export interface Changes {
  /** `present` is everything there is, and whatever is not in it is gone. */
  readonly complete: boolean;
  readonly present: readonly ManifestObject[];
  /** As they were last. */
  readonly gone: readonly ManifestObject[];
  /** Where the next look goes on; absent when the server did not say. */
  readonly until: string | undefined;
}

/**
 * A thin client for one API server. Every method sends exactly the JSON that it is given and resolves kinds to paths by
 * cached discovery. Failures are OperatorErrors: NotFound, Conflict (409 without field causes, failed preconditions),
 * ApplyConflict (its cause lists FieldConflicts), ApplyRejected (permanent: 400, 413, 422, and the two permanent 500
 * texts), KindUnavailable, NamespaceTerminating, SpokeForbidden (403), RemoteClientCreationFailed (401, TLS, something that
 * is no API server), SpokeUnreachable (no answer, circuit open), ApiTransient (429, 5xx, an answer that breaks off),
 * RemoteClusterStale (after `close`).
 */
export interface ClusterClient {
  /** The server address, path included; no credentials. */
  readonly server: string;
  /** Resolves to undefined when the object does not exist; rejects with KindUnavailable when the kind does not. */
  get(ref: ObjectRef, options?: ReadOptions): Promise<ManifestObject | undefined>;
  /** All pages. Items carry apiVersion and kind. */
  list(apiVersion: string, kind: string, options?: ListOptions): Promise<readonly ManifestObject[]>;
  /** Server-side apply with the client's field manager; `created` tells 201 from 200. */
  apply(
    object: ManifestObject,
    options?: ApplyOptions,
  ): Promise<{ object: ManifestObject; created: boolean }>;
  create(object: ManifestObject, options?: CallOptions): Promise<ManifestObject>;
  /** PUT; the object must carry resourceVersion. */
  replace(
    object: ManifestObject,
    options?: CallOptions & { subresource?: 'status' },
  ): Promise<ManifestObject>;
  patch(ref: ObjectRef, patch: JsonPatch | MergePatch, options?: CallOptions): Promise<ManifestObject>;
  /** `gone`: answered 404. `deleting`: accepted, finalizers or the collector still hold it. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<'gone' | 'deleted' | 'deleting'>;
  /**
   * What changed since an earlier look, for the price of what changed; all of it when the server has forgotten that look.
   * Takes a few seconds.
   */
  changes(options: ChangesOptions): Promise<Changes>;
  /** Never ends by itself: reconnects and relists with back-off until the signal aborts. */
  watch(options: WatchOptions & { signal: AbortSignal }): AsyncIterable<WatchEvent>;
  /** The Kubernetes version, such as `v1.35.4`. */
  serverVersion(options?: CallOptions): Promise<string>;
  /** Forgets which kinds the API groups have, for example after CRDs were applied. */
  invalidateDiscovery(): void;
  /** Whether the server serves the kind now; asks again when the cache says no. */
  serves(apiVersion: string, kind: string, options?: CallOptions): Promise<boolean>;
  /** Every listable kind the server has, each in the version that it prefers, for looking into a namespace. */
  listableKinds(options?: CallOptions): Promise<readonly ListableKind[]>;
  /** Forgets connection failures, so that the next call tries at once. */
  resetCircuit(): void;
  close(): Promise<void>;
}

/** A `kind` of `*` stands for all kinds of a group whose own server does not answer now; to list it rejects. */
export interface ListableKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export interface JsonPatch {
  readonly type: 'json';
  readonly operations: readonly JsonRecord[];
}

export interface MergePatch {
  readonly type: 'merge';
  readonly body: JsonRecord;
}
