import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { operatorNamespace } from '../../dev/operator/prepare-hub.ts';
import { until } from '../../dev/processes/until.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';

/** A resource and everything that the Go operator had written on a spoke for it. */
export interface GoInstallation {
  readonly resource: ManifestObject;
  readonly objects: readonly ManifestObject[];
}

const folder = fileURLToPath(new URL('../../../shared/adoption/', import.meta.url));

/** Undefined where the recordings do not lie beside the checkout. */
export function goInstallation(file: string): GoInstallation | undefined {
  const path = `${folder}${file}`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as GoInstallation) : undefined;
}

/**
 * Makes the objects as that operator does: its field managers, annotations and anchor. One more of each sort is added
 * that no release has: a key in ConfigMap `extraIn`, and an object.
 */
export async function makeGoInstallation(
  spoke: Cluster,
  { objects }: GoInstallation,
  extraIn: string,
): Promise<void> {
  const of = (kind: string) => objects.filter((object) => object.kind === kind);
  await create(spoke, of('Namespace'), 'operator');
  const anchor = objects.find((object) => object.metadata.name?.endsWith('-root-owner'));
  if (anchor === undefined) throw new Error('the recording has no anchor');
  await create(spoke, [anchor], 'operator');
  const owner = await uidOf(spoke, anchor);
  await create(spoke, of('CustomResourceDefinition'), 'manifestival');
  const done = new Set(['Namespace', 'CustomResourceDefinition', 'Job']);
  const rest = objects
    .filter((object) => !done.has(object.kind) && object !== anchor)
    .map((object) => withOwner(withExtra(object, extraIn), owner));
  await until('every kind is served', 60_000, async () => {
    await kubectl(spoke, ['wait', '--for=condition=Established', 'crds', '--all', '--timeout=5s']);
    await kubectl(spoke, ['create', '--dry-run=server', '-f', '-'], listOf(rest));
    return true;
  });
  const [template] = rest.filter((object) => object.kind === 'ConfigMap');
  if (template === undefined) throw new Error('the recording has no ConfigMap');
  const leftover = { ...template, metadata: { ...template.metadata, name: 'go-leftover' } };
  await create(spoke, [...rest, leftover], 'manifestival');
}

/** Has a leader Lease of that operator renewed at a time, as its replica that leads for a kind does. */
export async function renewGoLease(hub: Cluster, kind: ComponentKind, renewTime: Date): Promise<void> {
  const bucket = `knative.dev.operator.pkg.reconciler.${kind.toLowerCase()}.reconciler.00-of-01`;
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: `knative-operator.${bucket}`, namespace: operatorNamespace },
    spec: {
      holderIdentity: 'knative-operator-5d8_1',
      leaseDurationSeconds: 60,
      renewTime: renewTime.toISOString().replace('Z', '000Z'),
    },
  };
  await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(lease));
}

/** Makes the resource with the finalizer and the status that the Go operator had written. */
export async function makeGoResource(hub: Cluster, { resource }: GoInstallation): Promise<void> {
  const status = JSON.stringify({ status: resource['status'] });
  await create(hub, [resource], 'operator');
  const { name = '', namespace = '' } = resource.metadata;
  const patch = ['patch', resource.kind, name, '-n', namespace, '--subresource=status', '--type=merge'];
  await kubectl(hub, [...patch, '-p', status, '--field-manager=operator']);
}

async function create(cluster: Cluster, objects: readonly ManifestObject[], manager: string): Promise<void> {
  await kubectl(cluster, ['create', `--field-manager=${manager}`, '-f', '-'], listOf(objects));
}

async function uidOf(cluster: Cluster, { kind, metadata }: ManifestObject): Promise<string> {
  const { name = '', namespace = '' } = metadata;
  return kubectl(cluster, ['get', kind, name, '-n', namespace, '-o', 'jsonpath={.metadata.uid}']);
}

function listOf(objects: readonly ManifestObject[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects.map(asWritten) });
}

function asWritten(object: ManifestObject): ManifestObject {
  const { status: _status, ...rest } = object;
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _time,
    managedFields: _fields,
    ...metadata
  } = object.metadata;
  const spec = object['spec'] as JsonRecord | undefined;
  if (object.kind !== 'Service' || spec === undefined) return { ...rest, metadata } as ManifestObject;
  const { clusterIP: _ip, clusterIPs: _ips, ...kept } = spec;
  const headless = spec['clusterIP'] === 'None' ? { clusterIP: 'None' } : {};
  return { ...rest, metadata, spec: { ...kept, ...headless } } as ManifestObject;
}

function withOwner(object: ManifestObject, uid: string): ManifestObject {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined) return object;
  const ownerReferences = owners.map((owner) => ({ ...owner, uid }));
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function withExtra(object: ManifestObject, extraIn: string): ManifestObject {
  if (object.kind !== 'ConfigMap' || object.metadata.name !== extraIn) return object;
  return { ...object, data: { ...(object['data'] as JsonRecord), 'of-the-go-operator': 'only' } };
}
