import type { Cluster } from '../../dev/control-plane/cluster.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';
import type { RecordedCase } from './recordings.ts';

/** One resource as installed. */
export interface Installed {
  /** Holds what was installed. */
  readonly cluster: Cluster;
  readonly componentUID: string;
  /** Status of the resource now. */
  status(): Promise<JsonRecord>;
  /**
   * Gives the installed resource the spec of another case of its kind, and resolves when the operator has done all that
   * it can about it. Not for local cases.
   */
  change(recorded: RecordedCase): Promise<void>;
  /** Ends a cluster that was started for the resource alone. */
  release(): Promise<void>;
}

/** Whatever makes a resource into objects on a real cluster. */
export interface Installer {
  /**
   * Installs a case on a cluster that gets the name, and resolves when the operator has done all that it can about it.
   * May be called again meanwhile, with another name.
   */
  install(recorded: RecordedCase, name: string): Promise<Installed>;
  stop(): Promise<void>;
}
