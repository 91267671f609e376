import { Context } from '@temporalio/activity';

import { createAbandonmentRecords } from '../adapters/hub/abandonment-records.ts';
import { createComponentFollower } from '../adapters/hub/component-follower.ts';
import { createGoOperatorLeases } from '../adapters/hub/go-operator-leases.ts';
import { createHubComponents } from '../adapters/hub/components.ts';
import { createEventRecorder } from '../adapters/hub/events.ts';
import type { SpokeAccess } from '../adapters/access/target-access.ts';
import { applyObject } from '../adapters/kubernetes/apply-object.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { readClusterUID } from '../adapters/kubernetes/cluster-uid.ts';
import { openReleases } from '../adapters/releases/open-releases.ts';
import { createParsedCache } from '../adapters/releases/parsed-cache.ts';
import { createUserManifests } from '../adapters/releases/user-manifests.ts';
import { ensureAnchor } from '../adapters/target/anchor.ts';
import { createClaimStore } from '../adapters/target/claim-store.ts';
import { createComponentSignals } from '../adapters/temporal/component-signals.ts';
import { hubInventory, targetInventory } from '../adapters/target/inventory-store.ts';
import { noteSpoke } from '../adapters/telemetry/log-context.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { DriftObserver } from '../adapters/telemetry/metrics/drift-metrics.ts';
import type { ActivityDependencies, Hub, TargetTools } from '../activities/dependencies.ts';
import { createPlanner } from '../activities/plan/create-planner.ts';
import { messageOf, OperatorError } from '../domain/errors.ts';
import { componentWorkflowId } from '../workflows/component-workflow-id.ts';
import type { WorkerConfig } from './config.ts';

/** A Go operator that starts is noticed within this time. */
const goOperatorLookMs = 5_000;

/** What `main.ts` has opened already. */
export interface OpenParts {
  readonly hub: ClusterClient;
  readonly spokes: SpokeAccess;
  readonly log: Logger;
  readonly drift: DriftObserver;
}

/** Builds everything that activities need; the only place where adapters meet activities. */
export function composeActivities(config: WorkerConfig, parts: OpenParts): ActivityDependencies {
  const cache = createParsedCache(config.cache);
  return {
    hub: composeHub(config, parts),
    spokes: {
      connect(profile, options) {
        noteSpoke(`${profile.namespace}/${profile.name}`);
        return parts.spokes.connect(profile, options);
      },
    },
    target: composeTarget(config, parts.hub),
    planner: createPlanner({
      releases: openReleases(config, cache),
      userManifests: createUserManifests({ allowedPrefixes: config.manifestUrlPrefixes }, cache),
      kubernetesMinVersion: config.kubernetesMinVersion,
    }),
    signals: createComponentSignals({
      client: () => Context.current().client,
      workflowId: (ref) => componentWorkflowId(ref, config.hubId),
    }),
    log: parts.log,
    drift: parts.drift,
    pollIntervalMs: config.pollIntervalMs,
  };
}

function composeHub(config: WorkerConfig, { hub, log }: OpenParts): Hub {
  let clusterUID: Promise<string> | undefined;
  return {
    client: hub,
    follower: createComponentFollower(hub, (error) =>
      log.debug({}, `the watch of the resources was interrupted: ${messageOf(error)}`),
    ),
    components: createHubComponents(hub),
    events: createEventRecorder(hub, (error) => log.debug({}, `an event was lost: ${messageOf(error)}`)),
    abandonments: createAbandonmentRecords(hub, config.operatorNamespace),
    goOperator: createGoOperatorLeases(hub, {
      operatorNamespace: config.operatorNamespace,
      maxAgeMs: goOperatorLookMs,
      log,
    }),
    id: config.hubId,
    clusterUID() {
      clusterUID ??= identityOf(hub).catch((error: unknown) => {
        clusterUID = undefined;
        throw error;
      });
      return clusterUID;
    },
  };
}

async function identityOf(hub: ClusterClient): Promise<string> {
  const uid = await readClusterUID(hub);
  if (uid === undefined) throw new OperatorError('HubUnavailable', 'the hub has no namespace kube-system');
  return uid;
}

function composeTarget(config: WorkerConfig, hub: ClusterClient): TargetTools {
  return {
    claims: createClaimStore,
    inventory: targetInventory,
    mirror: (ref, uid) => hubInventory(hub, ref, { operatorNamespace: config.operatorNamespace, uid }),
    ensureAnchor,
    applyObject,
  };
}
