import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Cluster } from '../control-plane/cluster.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { kubectl } from '../control-plane/kubectl.ts';
import { until } from '../processes/until.ts';
import { clusterProfileCrd } from './cluster-profile-crd.ts';
import { ensureNamespace, operatorNamespace } from './prepare-hub.ts';

type Reachable = Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>;

export interface SpokeRegistration {
  readonly hub: Reachable;
  readonly spoke: Pick<Cluster, 'name' | 'server' | 'caPem' | 'token'>;
  /** Namespace of the ClusterProfile on the hub; its name is the spoke's. */
  readonly namespace: string;
}

const plugin = fileURLToPath(new URL('../../plugins/secretreader.ts', import.meta.url));
/** Of the provider file below, and of the profiles. */
export const providerName = 'secretreader';

/** Installs the ClusterProfile CRD on a hub. Idempotent. */
export async function installClusterProfileCrd(hub: Reachable): Promise<void> {
  await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(clusterProfileCrd));
  const crd = `crd/${clusterProfileCrd.metadata.name}`;
  await until('the ClusterProfile CRD is established', 60_000, async () => {
    await kubectl(hub, ['wait', crd, '--for=condition=Established', '--timeout=60s']);
    return true;
  });
}

/** Writes a provider file whose plugin reads tokens from Secrets in the operator's namespace on the hub. */
export async function writeProviderFile(path: string): Promise<void> {
  const execConfig = {
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', plugin, operatorNamespace],
    apiVersion: 'client.authentication.k8s.io/v1',
    provideClusterInfo: true,
  };
  await writeFile(path, JSON.stringify({ providers: [{ name: providerName, execConfig }] }, undefined, 2));
}

/** Registers a spoke on a hub: its token as a Secret, and a healthy ClusterProfile that says where it is. Idempotent. */
export async function registerSpoke({ hub, spoke, namespace }: SpokeRegistration): Promise<void> {
  await ensureNamespace(hub, namespace);
  await writeToken(hub, spoke.name, { token: spoke.token });
  await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(profile(spoke.name, namespace)));
  await setProfileStatus(hub, { namespace, name: spoke.name }, profileStatus(spoke));
}

/** Writes the Secret that the plugin reads for a spoke. */
export async function writeToken(
  hub: Reachable,
  name: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(tokenSecret(name, data)));
}

/** That Secret; its keys are `token` and, if the token expires, `expirationTimestamp`. */
export function tokenSecret(name: string, data: Readonly<Record<string, string>>): ManifestObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  const metadata = { name, namespace: operatorNamespace };
  return { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(encoded) };
}

/** Merges into the status of a ClusterProfile, as its cluster manager does. */
export async function setProfileStatus(
  hub: Reachable,
  ref: { namespace: string; name: string },
  status: object,
): Promise<void> {
  const patch = [
    'patch',
    'clusterprofile',
    ref.name,
    '-n',
    ref.namespace,
    '--subresource=status',
    '--type=merge',
  ];
  await kubectl(hub, [...patch, '-p', JSON.stringify({ status })]);
}

export function profileHealth(healthy: boolean): object {
  const condition = {
    type: 'ControlPlaneHealthy',
    status: healthy ? 'True' : 'False',
    reason: healthy ? 'Healthy' : 'Unhealthy',
    message: '',
    lastTransitionTime: new Date().toISOString(),
  };
  return { conditions: [condition] };
}

function profile(name: string, namespace: string): object {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { name, namespace, labels: { 'x-k8s.io/cluster-manager': 'knative-fleet-dev' } },
    spec: { displayName: name, clusterManager: { name: 'knative-fleet-dev' } },
  };
}

function profileStatus(spoke: SpokeRegistration['spoke']): object {
  const cluster = {
    server: spoke.server,
    'certificate-authority-data': Buffer.from(spoke.caPem).toString('base64'),
    extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { clusterName: spoke.name } }],
  };
  return { ...profileHealth(true), accessProviders: [{ name: providerName, cluster }] };
}
