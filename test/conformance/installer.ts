import type { Cluster } from '../../dev/control-plane/cluster.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';
import type { RecordedCase } from './recordings.ts';

/** One case as installed. */
export interface Installed {
  /** Holds what was installed. */
  readonly cluster: Cluster;
  readonly componentUID: string;
  /** Status of the resource at that moment. */
  readonly status: JsonRecord;
  /** Ends a cluster that was started for the case alone. */
  release(): Promise<void>;
}

export interface Expectation {
  /** Whether it can become Ready; if not, the installation is complete when only workloads are missing. */
  readonly ready: boolean;
}

/** Whatever makes a resource into objects on a real cluster. */
export interface Installer {
  /** Resolves when the installation is as far as expected. Cases may run at once. */
  install(recorded: RecordedCase, expected: Expectation): Promise<Installed>;
  stop(): Promise<void>;
}
