import { setTimeout as sleep } from 'node:timers/promises';

import { createClaimStore } from '../../adapters/target/claim-store.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { componentKinds } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import { CommandError } from '../exit-codes.ts';

/** A CustomResourceDefinition that Knative left on a target, and how many objects of it there are. */
export interface LeftCrd {
  readonly name: string;
  readonly uid: string;
  readonly objects: number;
  readonly examples: readonly string[];
}

const crdApi = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' } as const;
const maxExamples = 3;

/**
 * Reads the named CRDs and counts their objects. Throws CommandError: `refused` for one that is not Knative's or while a
 * component is still on the target, `missing` for one that is not there.
 */
export async function readLeftCrds(
  client: ClusterClient,
  names: readonly string[],
): Promise<readonly LeftCrd[]> {
  await refuseWhileInstalled(client);
  return Promise.all(names.map((name) => readLeftCrd(client, name)));
}

/** An operator would apply the CRDs of an installed component again, and everything that uses them would break first. */
async function refuseWhileInstalled(client: ClusterClient): Promise<void> {
  const claims = await Promise.all(componentKinds.map((kind) => createClaimStore(client).read(kind)));
  const held = claims.find((claim) => claim !== undefined);
  if (held === undefined) return;
  const { component, state } = held.record;
  throw new CommandError(
    'refused',
    `${component} is still on ${client.server} (claim ${state}); delete it, wait until it is gone, then purge`,
  );
}

async function readLeftCrd(client: ClusterClient, name: string): Promise<LeftCrd> {
  const crd = await client.get({ ...crdApi, name });
  if (crd === undefined) {
    throw new CommandError('missing', `CustomResourceDefinition ${name} does not exist on ${client.server}`);
  }
  if (!isKnatives(crd)) {
    throw new CommandError(
      'refused',
      `CustomResourceDefinition ${name} on ${client.server} is not of Knative: neither its group nor its mark says so`,
    );
  }
  const objects = await objectsOf(client, crd);
  return {
    name,
    uid: crd.metadata.uid ?? '',
    objects: objects.length,
    examples: objects
      .slice(0, maxExamples)
      .map(({ metadata }) =>
        metadata.namespace === undefined
          ? (metadata.name ?? '')
          : `${metadata.namespace}/${metadata.name ?? ''}`,
      ),
  };
}

function isKnatives(crd: ManifestObject): boolean {
  const group = stringAt(crd, 'spec', 'group') ?? '';
  const marked = crd.metadata.annotations?.[wireNames.ownerAnnotation] !== undefined;
  return marked || group === 'knative.dev' || group.endsWith('.knative.dev');
}

async function objectsOf(client: ClusterClient, crd: ManifestObject): Promise<readonly ManifestObject[]> {
  const served = listAt(crd, 'spec', 'versions').find(
    (version) => isRecord(version) && version['served'] === true,
  );
  const version = stringAt(served, 'name');
  if (version === undefined) return [];
  const group = stringAt(crd, 'spec', 'group') ?? '';
  const kind = stringAt(recordAt(crd, 'spec', 'names'), 'kind') ?? '';
  return client.list(`${group}/${version}`, kind, { metadataOnly: true });
}

const limitMs = 60_000;
const pollMs = 500;

/** Deletes exactly the CRDs that were read, waits for them, and says what holds those that stay. */
export async function deleteCrds(
  client: ClusterClient,
  crds: readonly LeftCrd[],
): Promise<readonly { readonly name: string; readonly outcome: 'removed' | 'held' }[]> {
  for (const { name, uid } of crds) await client.delete({ ...crdApi, name }, { uid });
  const deadline = performance.now() + limitMs;
  let waiting = crds;
  while (waiting.length > 0 && performance.now() < deadline) {
    const found = await Promise.all(waiting.map(({ name }) => client.get({ ...crdApi, name })));
    waiting = waiting.filter((crd, index) => found[index]?.metadata.uid === crd.uid);
    if (waiting.length > 0) await sleep(pollMs);
  }
  const held = new Set(waiting.map(({ name }) => name));
  return crds.map(({ name }) => ({ name, outcome: held.has(name) ? 'held' : 'removed' }));
}
