import type { Client } from '@temporalio/client';

import { kubectl } from '../../dev/control-plane/kubectl.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { ensureNamespace } from '../../dev/operator/prepare-hub.ts';
import { until } from '../../dev/processes/until.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import type { ComponentDescription } from '../../workflows/messages.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import { becomesReady } from './compare-installed.ts';
import type { RecordedCase } from './recordings.ts';

/** Namespace of the ClusterProfiles on the hub. */
export const profileNamespace = 'fleet';
const waitMs = 240_000;

export interface Place {
  readonly hub: Cluster;
  readonly temporal: Client;
  /** Of the ClusterProfile; unused by local cases. */
  readonly profile: string;
}

/**
 * Writes the resource of a case to the hub and resolves with it when the operator has done all that it can: the pass for
 * this generation has ended, or, where the case never becomes Ready, only workloads are missing.
 */
export async function applyResource(place: Place, recorded: RecordedCase): Promise<ManifestObject> {
  const resource = resourceOf(place, recorded);
  await ensureNamespace(place.hub, resource.metadata.namespace ?? '');
  await kubectl(place.hub, ['apply', '-f', '-'], JSON.stringify(resource));
  const applied = await readResource(place, recorded);
  try {
    await until(`${recorded.name} is installed`, waitMs, async () => {
      const described = await describe(place, resource);
      return isServed(described, applied, becomesReady(recorded)) ? true : undefined;
    });
    return applied;
  } catch (error) {
    const ready = readyCondition(await readResource(place, recorded));
    const says = `${stringAt(ready, 'reason') ?? ''} ${stringAt(ready, 'message') ?? ''}`;
    throw new Error(`${(error as Error).message}; Ready says: ${says}`, { cause: error });
  }
}

export async function readResource(place: Place, recorded: RecordedCase): Promise<ManifestObject> {
  const { kind, metadata } = resourceOf(place, recorded);
  const query = ['get', kind, metadata.name ?? '', '-n', metadata.namespace ?? '', '-o', 'json'];
  return JSON.parse(await kubectl(place.hub, query)) as ManifestObject;
}

/** The resource; for a spoke in a namespace of its own on the hub, because the recorded names are all the same. */
function resourceOf({ profile }: Place, { kind, local, metadata, spec }: RecordedCase): ManifestObject {
  const apiVersion = 'operator.knative.dev/v1beta1';
  if (local) return { apiVersion, kind, metadata, spec };
  const clusterProfileRef = { name: profile, namespace: profileNamespace };
  return {
    apiVersion,
    kind,
    metadata: { name: metadata.name, namespace: `case-${profile.replaceAll('.', '-')}` },
    spec: { ...spec, destination: { clusterProfileRef, namespace: metadata.namespace } },
  };
}

async function describe(
  { temporal }: Place,
  { kind, metadata }: ManifestObject,
): Promise<ComponentDescription> {
  const { name = '', namespace = '' } = metadata;
  const ref = { kind: kind as RecordedCase['kind'], namespace, name };
  const handle = temporal.workflow.getHandle(componentWorkflowId(ref, ''));
  return handle.query<ComponentDescription>('describe');
}

function isServed(
  { phase, state }: ComponentDescription,
  { metadata }: ManifestObject,
  ready: boolean,
): boolean {
  if (state.uid !== metadata.uid || state.generation !== metadata.generation) return false;
  return ready ? phase === 'Ready' && state.readyGeneration === metadata.generation : state.step === 'await';
}

function readyCondition(found: ManifestObject): JsonRecord {
  const conditions = listAt(found, 'status', 'conditions');
  return recordAt(conditions.find((candidate) => stringAt(candidate, 'type') === 'Ready'));
}
