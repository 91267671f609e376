import { setTimeout as sleep } from 'node:timers/promises';

import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import { canonicalJson } from '../domain/manifests/canonical-json.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { describeIdentity, identityOf, keyOf } from '../domain/manifests/object.ts';
import type { BenchComponent } from './bench-components.ts';
import type { BenchGround } from './bench-ground.ts';
import { removeResource, resourceOf, untilReady } from './measure-operator.ts';
import { seconds } from './stopwatch.ts';

/** What an upgrade of a component wrote on its target. */
export interface Upgrade {
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  /** In both versions. */
  readonly objects: number;
  /** Of these, those that differ between the versions. */
  readonly differing: number;
  /** Of these, those in which the API server noted a write of ours. */
  readonly written: number;
  /** Written although they do not differ. */
  readonly needless: readonly string[];
}

interface UpgradeWork {
  readonly ground: BenchGround;
  /** At the version to begin with. */
  readonly component: BenchComponent;
  readonly to: string;
  /** What is applied at each version. */
  readonly objects: { readonly from: readonly ManifestObject[]; readonly to: readonly ManifestObject[] };
}

/** Installs one version, changes to the other, and looks into the managed fields of every object for who wrote when. */
export async function measureUpgrade({ ground, component, to, objects }: UpgradeWork): Promise<Upgrade> {
  const ref = resourceOf(component);
  await ground.hub.create(component.object);
  await untilReady(ground.hub, ref);
  // Managed fields tell seconds: the upgrade must begin in another one than the install ended in.
  await sleep(2_100);
  const startedAt = Date.now();
  const duration = await seconds(async () => {
    await ground.hub.patch(ref, { type: 'merge', body: { spec: { version: to } } });
    await untilReady(ground.hub, ref);
  });
  const before = new Map(objects.from.map((object) => [keyOf(object), canonicalJson(object)]));
  const common = objects.to.filter((object) => before.has(keyOf(object)));
  const differs = (object: ManifestObject): boolean => before.get(keyOf(object)) !== canonicalJson(object);
  const written = await writtenSince(ground.spoke, common, startedAt);
  await removeResource(ground.hub, ref);
  return {
    from: component.version,
    to,
    seconds: duration,
    objects: common.length,
    differing: common.filter(differs).length,
    written: written.length,
    needless: written.filter((object) => !differs(object)).map((o) => describeIdentity(identityOf(o))),
  };
}

async function writtenSince(
  spoke: ClusterClient,
  objects: readonly ManifestObject[],
  sinceMs: number,
): Promise<readonly ManifestObject[]> {
  const second = Math.floor(sinceMs / 1_000) * 1_000;
  const checked = await Promise.all(
    objects.map(async (object) => {
      const { apiVersion, kind, metadata } = object;
      const ref = { apiVersion, kind, namespace: metadata.namespace, name: metadata.name ?? '' };
      const found = await spoke.get(ref, { metadataOnly: true });
      const ours = (found?.metadata.managedFields ?? []).filter(
        ({ manager, operation }) => manager === wireNames.fieldManager && operation === 'Apply',
      );
      return ours.some(({ time = '' }) => Date.parse(time) >= second) ? [object] : [];
    }),
  );
  return checked.flat();
}
