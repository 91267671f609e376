import type { SpokeAccess } from '../adapters/access/target-access.ts';
import type { EventRecorder } from '../adapters/hub/events.ts';
import type { ComponentFollower } from '../adapters/hub/component-follower.ts';
import type { ComponentSignals } from '../adapters/temporal/component-signals.ts';
import type { GoOperatorLeases } from '../adapters/hub/go-operator-leases.ts';
import type { HubComponents } from '../adapters/hub/components.ts';
import type { ApplyObject } from '../adapters/kubernetes/apply-object.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { AbandonmentRecords } from '../adapters/hub/abandonment-records.ts';
import type { ClaimStore } from '../adapters/target/claim-store.ts';
import type { InventoryMirror, InventoryStore } from '../adapters/target/inventory-store.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { DriftObserver } from '../adapters/telemetry/metrics/drift-metrics.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import type { OwnerReference } from '../domain/manifests/object.ts';
import type { Planner } from './plan/planner.ts';

/** Everything that activities get from outside; `worker/composition.ts` builds it, tests pass their own. */
export interface ActivityDependencies {
  readonly hub: Hub;
  readonly spokes: Pick<SpokeAccess, 'connect'>;
  readonly target: TargetTools;
  readonly planner: Planner;
  readonly signals: ComponentSignals;
  readonly log: Logger;
  readonly drift: DriftObserver;
  /** Backstop of the watch while workloads roll out, milliseconds. */
  readonly pollIntervalMs: number;
}

export interface Hub {
  readonly client: ClusterClient;
  readonly follower: ComponentFollower;
  readonly components: HubComponents;
  readonly events: EventRecorder;
  readonly abandonments: AbandonmentRecords;
  readonly goOperator: GoOperatorLeases;
  /** UID of the hub's namespace kube-system; cached. */
  clusterUID(): Promise<string>;
  /** Configured id that tells apart hubs cloned from one cluster; empty by default. */
  readonly id: string;
}

/** What is read and written on a target besides the release's objects. */
export interface TargetTools {
  claims(client: ClusterClient): ClaimStore;
  inventory(client: ClusterClient, ref: ComponentRef): InventoryStore;
  /** The copy on the hub. */
  mirror(ref: ComponentRef, uid: string): InventoryMirror;
  ensureAnchor(client: ClusterClient, ref: ComponentRef, installNamespace: string): Promise<OwnerReference>;
  readonly applyObject: ApplyObject;
}
