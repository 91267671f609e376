/** A Kubernetes object as parsed from a manifest or an API answer: only the parts every object has are typed. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Object metadata in wire names. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly apiVersion?: string;
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** What names one object on one cluster; the API version is not part of it. */
export interface ObjectIdentity {
  readonly group: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** The API group of an apiVersion; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

export function identityOf(object: ManifestObject): ObjectIdentity {
  return {
    group: groupOf(object.apiVersion),
    kind: object.kind,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
  };
}

/** A stable text form of an identity: `group/Kind/namespace/name`. */
export function identityKey(identity: ObjectIdentity): string {
  return `${identity.group}/${identity.kind}/${identity.namespace}/${identity.name}`;
}

export function keyOf(object: ManifestObject): string {
  return identityKey(identityOf(object));
}

/** For people: `Deployment knative-serving/controller`, `ClusterRole knative-serving-core`. */
export function describeIdentity(identity: ObjectIdentity): string {
  return identity.namespace === ''
    ? `${identity.kind} ${identity.name}`
    : `${identity.kind} ${identity.namespace}/${identity.name}`;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a nested map; anything that is not a map reads as empty. */
export function recordAt(value: unknown, ...path: readonly string[]): JsonRecord {
  let current: unknown = value;
  for (const key of path) current = isRecord(current) ? current[key] : undefined;
  return isRecord(current) ? current : {};
}

/** Reads a nested list; anything that is not a list reads as empty. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  let current: unknown = value;
  for (const key of path) current = isRecord(current) ? current[key] : undefined;
  return Array.isArray(current) ? current : [];
}

export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  let current: unknown = value;
  for (const key of path) current = isRecord(current) ? current[key] : undefined;
  return typeof current === 'string' ? current : undefined;
}
