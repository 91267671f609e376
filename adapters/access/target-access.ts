import type { ClusterClient } from '../kubernetes/cluster-client.ts';

/** A ClusterProfile on the hub. */
export interface ClusterProfileRef {
  readonly namespace: string;
  readonly name: string;
}

/** A spoke that can be used now. */
export interface TargetAccess {
  readonly client: ClusterClient;
  /** UID of namespace kube-system: the cluster's identity. */
  readonly clusterUID: string;
  readonly server: string;
  readonly kubernetesVersion: string;
  /** Name of the access provider that gave the credentials. */
  readonly provider: string;
}

export interface ConnectOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the client while the cluster is asked who it is, so that a read need not wait for that. Only reads, and
   * nothing may come of them when `connect` rejects; called again when the connection had to be made anew.
   */
  readonly meanwhile?: ((client: ClusterClient) => void) | undefined;
}

/**
 * Gives clients for spokes. `connect` reads the ClusterProfile, picks the provider, obtains credentials and makes one
 * cheap call that proves the spoke answers and who it is. Connections and credentials are a per-process cache keyed by
 * profile and by a hash of everything that configures the access. Rejects with OperatorError of the kinds of condition
 * TargetClusterResolved.
 */
export interface SpokeAccess {
  connect(profile: ClusterProfileRef, options?: ConnectOptions): Promise<TargetAccess>;
  close(): Promise<void>;
}
