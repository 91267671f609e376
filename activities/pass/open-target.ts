import type { ClusterProfileRef, ConnectOptions } from '../../adapters/access/target-access.ts';
import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { Destination } from '../../domain/api/destination.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { TargetIdentity } from '../../domain/lifecycle/component-state.ts';
import { stringAt } from '../../domain/manifests/object.ts';
import type { ActivityDependencies, Hub } from '../dependencies.ts';
import { destinationOfResource } from './destination-of-resource.ts';

/** A target that answers and is the one that the resource was installed on. */
export interface OpenTarget {
  readonly client: ClusterClient;
  readonly identity: TargetIdentity;
  /** Name of the access provider; empty locally. */
  readonly provider: string;
  readonly local: boolean;
}

/** What leads to targets. */
export interface TargetSources {
  readonly hub: Pick<Hub, 'client' | 'clusterUID'>;
  readonly spokes: ActivityDependencies['spokes'];
}

/**
 * Connects to the target of a resource: the hub itself, or the spoke that its ClusterProfile describes. Once
 * `status.target` is written, a cluster with another identity is refused with TargetClusterChanged.
 */
export async function openTarget(
  deps: TargetSources,
  resource: ComponentResource,
  options: ConnectOptions = {},
): Promise<OpenTarget> {
  const open = await connectTarget(deps, destinationOfResource(resource), options);
  refuseOtherCluster(resource, open.identity);
  return open;
}

/** Connects to the hub itself or to a spoke, whichever cluster that is now. */
export async function connectTarget(
  deps: TargetSources,
  destination: Destination,
  options: ConnectOptions = {},
): Promise<OpenTarget> {
  const { profile, installNamespace } = destination;
  return profile === undefined
    ? openHub(deps, installNamespace, options)
    : openSpoke(deps, profile, { ...options, installNamespace });
}

async function openHub(
  deps: TargetSources,
  installNamespace: string,
  { meanwhile }: ConnectOptions,
): Promise<OpenTarget> {
  const { client } = deps.hub;
  meanwhile?.(client);
  const [clusterUID, kubernetesVersion] = await Promise.all([deps.hub.clusterUID(), client.serverVersion()]);
  const identity = {
    clusterUID,
    server: client.server,
    kubernetesVersion,
    profile: 'local',
    installNamespace,
  };
  return { client, identity, provider: '', local: true };
}

async function openSpoke(
  deps: TargetSources,
  profile: ClusterProfileRef,
  { installNamespace, ...options }: ConnectOptions & { readonly installNamespace: string },
): Promise<OpenTarget> {
  const access = await deps.spokes.connect(profile, options);
  const identity = {
    clusterUID: access.clusterUID,
    server: access.server,
    kubernetesVersion: access.kubernetesVersion,
    profile: `${profile.namespace}/${profile.name}`,
    installNamespace,
  };
  return { client: access.client, identity, provider: access.provider, local: false };
}

function refuseOtherCluster(resource: ComponentResource, found: TargetIdentity): void {
  const known = stringAt(resource.status, 'target', 'clusterUID');
  if (known === undefined || known === '' || known === found.clusterUID) return;
  if (resource.annotations[wireNames.acceptClusterAnnotation] === found.clusterUID) return;
  throw new OperatorError(
    'TargetClusterChanged',
    `${formatComponentRef(resource.ref)} is installed on the cluster with UID ${known}, but at ${found.server} ` +
      `(${found.profile}) answers the cluster with UID ${found.clusterUID}; nothing was written. Restore the old ` +
      `cluster, or set annotation ${wireNames.acceptClusterAnnotation}: ${found.clusterUID}`,
  );
}
