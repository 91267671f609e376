import type { ComponentResource } from '../../adapters/hub/components.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { destinationOf } from '../../domain/api/destination.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { Condition } from '../../domain/status/conditions.ts';
import { findCondition } from '../../domain/status/conditions.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import type { WorkflowSummary } from './workflow-summary.ts';

/** One component as `status` shows it. The fields are the documented shape of `-o json`: add, never rename. */
export interface ComponentRow {
  readonly component: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** `namespace/name` of the ClusterProfile, or `local`. */
  readonly target: string;
  readonly server: string | null;
  readonly clusterUID: string | null;
  readonly installNamespace: string | null;
  /** As written in the resource; `latest` when nothing is. */
  readonly wanted: string;
  readonly installed: string | null;
  readonly state: string;
  readonly ready: boolean;
  /** ISO time since when it is in this state. */
  readonly since: string | null;
  readonly reason: string | null;
  readonly waitingFor: string | null;
  /** Id of its open workflow. */
  readonly workflow: string | null;
}

/** Undefined when none is open, null when Temporal could not be asked. */
type KnownWorkflow = WorkflowSummary | undefined | null;

/** Puts together what the resource says and what Temporal's index says; without it the state comes from conditions. */
export function componentRow(resource: ComponentResource, workflow: KnownWorkflow): ComponentRow {
  const { ref, uid } = resource;
  const ready = findCondition(asStatus(resource.status).conditions ?? [], 'Ready');
  return {
    component: formatComponentRef(ref),
    kind: ref.kind,
    namespace: ref.namespace,
    name: ref.name,
    uid,
    ...targetFacts(resource, workflow),
    state: workflow?.phase ?? stateOf(resource, ready),
    ready: ready?.status === 'True' && !resource.deleting,
    ...waitFacts(resource, ready, workflow),
    workflow: workflow?.workflowId ?? null,
  };
}

function targetFacts(resource: ComponentResource, workflow: KnownWorkflow) {
  const { target, version } = asStatus(resource.status);
  const recorded = (field: 'server' | 'clusterUID' | 'installNamespace'): string | null =>
    target?.[field] ?? null;
  return {
    target: target?.profile ?? workflow?.target ?? wantedTarget(resource.ref, resource),
    server: recorded('server'),
    clusterUID: recorded('clusterUID'),
    installNamespace: recorded('installNamespace'),
    wanted: stringAt(resource.object, 'spec', 'version') || 'latest',
    installed: version ?? null,
  };
}

function waitFacts(resource: ComponentResource, ready: Condition | undefined, workflow: KnownWorkflow) {
  const finalizing = findCondition(asStatus(resource.status).conditions ?? [], 'Finalizing');
  const decisive = resource.deleting ? finalizing : ready;
  return {
    since: sinceOf(resource, decisive, workflow),
    reason: decisive?.reason ?? workflow?.reason ?? null,
    waitingFor: waitingFor(resource, decisive, workflow),
  };
}

function wantedTarget(ref: ComponentRef, resource: ComponentResource): string {
  try {
    const { profile } = destinationOf(ref.kind, resource.object);
    return profile === undefined ? 'local' : `${profile.namespace}/${profile.name}`;
  } catch {
    return 'invalid';
  }
}

/** Without a workflow to ask: the conditions tell the phases apart well enough. */
function stateOf(resource: ComponentResource, ready: Condition | undefined): string {
  if (resource.deleting) return 'Finalizing';
  if (isHeld(resource)) return 'Suspended';
  if (ready?.status === 'True') return 'Ready';
  if (ready === undefined || ready.status === 'Unknown') return 'Pending';
  return ready.reason === 'NotReady' ? 'Waiting' : 'Blocked';
}

function isHeld(resource: ComponentResource): boolean {
  const paused = recordAt(resource.object, 'spec')['paused'] === true;
  return paused || resource.annotations[wireNames.suspendAnnotation] !== undefined;
}

function sinceOf(
  resource: ComponentResource,
  decisive: Condition | undefined,
  workflow: KnownWorkflow,
): string | null {
  if (resource.deleting) return resource.object.metadata.deletionTimestamp ?? null;
  const { creationTimestamp } = resource.object.metadata;
  return workflow?.blockedSince ?? decisive?.lastTransitionTime ?? creationTimestamp ?? null;
}

function waitingFor(
  resource: ComponentResource,
  decisive: Condition | undefined,
  workflow: KnownWorkflow,
): string | null {
  if (workflow === undefined) return 'a workflow: the starter makes one within 30 s; see that it runs';
  if (resource.deleting) return decisive?.message ?? 'the removal of everything installed';
  if (decisive?.status === 'True') return null;
  return decisive?.message ?? null;
}
