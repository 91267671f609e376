/** A running API server and what is needed to use it. The certificate is valid for 127.0.0.1 only. */
export interface Cluster {
  readonly name: string;
  /** `https://127.0.0.1:<port>`; the same after a restart. */
  readonly server: string;
  /** A token of group system:masters. */
  readonly token: string;
  readonly caPem: string;
  readonly caFile: string;
  readonly kubeconfigPath: string;
  readonly kubectlPath: string;
  /** One JSON audit event a line, of the audited users; undefined without any. */
  readonly auditLog: string | undefined;
  /** Of the API server. */
  readonly pid: number;
  /** Freezes the API server: connections stay open and answer nothing. */
  pause(): void;
  resume(): void;
  /** Ends the API server and its controllers; connections are refused from then on. Data stays. Idempotent. */
  stop(): Promise<void>;
  /** Starts what `stop` ended, with the same address, certificate, tokens and data. */
  restart(): Promise<void>;
}

/** One more entry of the API server's token file; rights come from RBAC objects or from the groups. */
export interface ClusterUser {
  readonly token: string;
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ClusterOptions {
  /** Controllers, scheduler and a simulated node, so that workloads become available; default true. */
  readonly controllers?: boolean;
  /** An etcd of its own instead of a prefix in the one that the fleet shares; default false. */
  readonly ownEtcd?: boolean;
  readonly users?: readonly ClusterUser[];
  /** Names of users whose requests the API server records in `auditLog`; default: none, and no record. */
  readonly auditedUsers?: readonly string[];
}
