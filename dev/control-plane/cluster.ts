/** A running API server with what it needs; for tests and the demo. */
export interface Cluster {
  readonly name: string;
  /** `https://127.0.0.1:<port>` */
  readonly server: string;
  /** A token of group system:masters. */
  readonly token: string;
  readonly caPem: string;
  readonly kubeconfigPath: string;
  readonly kubectlPath: string;
  readonly pid: number;
  /** Freezes the API server: connections stay open and answer nothing. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}
