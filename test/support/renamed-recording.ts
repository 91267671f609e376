import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { anchorName } from '../../domain/manifests/anchor.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, stringAt } from '../../domain/manifests/object.ts';
import type { RecordedCase } from '../conformance/recordings.ts';
import { recordings } from './shared-material.ts';

/** The recorded case of a name; throws without one. */
export function recordedCase(name: string): RecordedCase {
  const found = recordings.cases.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no recording ${name}`);
  return found;
}

/**
 * What the recorded operator would have left for a resource of another name with another install namespace: every
 * reference to the namespace and to the anchor follows. Label values and names of objects that only contain the same
 * words stay.
 */
export function renamedRecording(
  recorded: RecordedCase,
  ref: ComponentRef,
  installNamespace: string,
): readonly ManifestObject[] {
  const { namespace, name } = recorded.metadata;
  const anchor = anchorName({ kind: recorded.kind, namespace, name });
  const rename = (value: string, path: readonly string[]): string => {
    const field = path.at(-1) ?? '';
    if (value === anchor) return anchorName(ref);
    if (field === 'operator.knative.dev/cr-name') return ref.name;
    if (field === 'envoy-bootstrap.yaml' || field === 'default-br-config')
      return value.replaceAll(namespaceInText(namespace), `$1${installNamespace}`);
    return value === namespace && namesNamespace(path) ? installNamespace : value;
  };
  return recorded.objects.map((entry) => {
    const object = mapStrings(recordings.object(entry), rename, []) as ManifestObject;
    if (object.kind !== 'Namespace') return object;
    return { ...object, metadata: { ...object.metadata, name: installNamespace } };
  });
}

/** As the host name of the controller, and as a field of the document. */
function namespaceInText(namespace: string): RegExp {
  return new RegExp(`(net-kourier-controller\\.|namespace: )${namespace}\\b`, 'g');
}

function namesNamespace(path: readonly string[]): boolean {
  const field = path.at(-1) ?? '';
  return (
    ['namespace', 'kubernetes.io/metadata.name', 'KOURIER_GATEWAY_NAMESPACE'].includes(field) ||
    path.includes('namespaceSelector')
  );
}

type Rename = (value: string, path: readonly string[]) => string;

/** An environment variable counts as a field of its own name. */
function mapStrings(value: unknown, rename: Rename, path: readonly string[]): unknown {
  if (typeof value === 'string') return rename(value, path);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, rename, path));
  if (!isRecord(value)) return value;
  const variable = path.at(-1) === 'env' ? stringAt(value, 'name') : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => {
      const name = variable !== undefined && field === 'value' ? variable : field;
      return [field, mapStrings(child, rename, [...path, name])];
    }),
  );
}

/** The same objects owned by the resource, as on its own cluster: without an anchor, in a namespace that was there. */
export function ownedLocally(recorded: RecordedCase): readonly ManifestObject[] {
  const { kind, metadata } = recorded;
  const anchor = anchorName({ kind, ...metadata });
  const objects = recorded.objects.map((entry) => recordings.object(entry));
  return objects
    .filter((object) => object.metadata.name !== anchor)
    .map((object) => localised(object, recorded));
}

function localised(object: ManifestObject, { kind, metadata: { name } }: RecordedCase): ManifestObject {
  const { ownerReferences, labels, ...metadata } = object.metadata;
  const { 'app.kubernetes.io/managed-by': managedBy, ...others } = labels ?? {};
  const owners = ownerReferences?.map((owner) => ({
    ...owner,
    apiVersion: 'operator.knative.dev/v1beta1',
    kind,
    name,
  }));
  const made = object.kind === 'Namespace' || managedBy === undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: made ? others : { ...others, 'app.kubernetes.io/managed-by': managedBy },
      ...(owners === undefined ? {} : { ownerReferences: owners }),
    },
  };
}
