import { join } from 'node:path';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../../../adapters/kubernetes/hub-connection.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import { ensureNamespace } from '../../../dev/operator/prepare-hub.ts';
import { tokenSecret, writeToken } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import { componentApi } from '../../../domain/api/component-ref.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { listAt, stringAt } from '../../../domain/manifests/object.ts';
import {
  applyComponent,
  deleteComponent,
  sampleReleases,
  startOperatorFleet,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { failedAttempts, triggerPass, untilPassed } from '../../support/passes.ts';
import type { FaultySpoke } from './faulty-spoke.ts';
import { startFaultySpoke } from './faulty-spoke.ts';
import type { RecordedPlugin } from './plugin-runs.ts';
import { recordPlugin } from './plugin-runs.ts';
import { createTokenAuthority } from './token-authority.ts';

const rotationMs = 5_000;
/** A token that was read just before a rotation may still be used for this long: a plugin takes its time. */
const graceMs = 4_000;
/** Of tokens that expire; the next one is there in time even when the machine is slow to write it. */
const lifeMs = 4 * rotationMs;
const loopMs = 45_000;
const testMs = 240_000;
const { apiVersion } = componentApi;

describe('tokens of a spoke', () => {
  let scene: OperatorFleet;
  let plugin: RecordedPlugin;
  let secrets: ClusterClient;
  const spokes: FaultySpoke[] = [];

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2, releases: sampleReleases.root });
    plugin = await recordedProvider(scene);
    secrets = createClusterClient(loadHubConnection(scene.fleet.hub.kubeconfigPath), {
      fieldManager: 'kubectl',
    });
  });

  afterAll(async () => {
    await secrets?.close();
    await scene?.stop();
    await Promise.all(spokes.map((spoke) => spoke.stop()));
  });

  const certificates = makeCertificates(['IP:127.0.0.1']);

  async function spokeFor(name: string, kind: Component['kind'], index = 0): Promise<FaultySpoke> {
    const { hub, spokes: clusters } = scene.fleet;
    const cluster = clusters[index];
    if (cluster === undefined) throw new Error('two spokes are needed');
    const spec = { version: sampleReleases.eventing };
    const spoke = await startFaultySpoke({
      hub,
      cluster,
      name,
      kind,
      spec,
      certificates: await certificates,
    });
    spokes.push(spoke);
    return spoke;
  }

  test.concurrent.each([
    ['that do not say when they expire', 'silent', 'KnativeServing'],
    ['that expire', 'expiring', 'KnativeEventing'],
  ] as const)(
    '%s are rotated every 5 s and installing and deleting goes on without a failed try',
    async (_, name, kind) => {
      const { hub } = scene.fleet;
      const { component, http } = await spokeFor(name, kind);
      const authority = createTokenAuthority(http, scene.fleet.spokes[0]?.token ?? '');
      const write = async (): Promise<void> => {
        const issued = authority.issue(name === 'expiring' ? lifeMs : Infinity);
        await secrets.apply(tokenSecret(name, issued), { force: true });
      };
      await write();
      const loop = new AbortController();
      const rotating = rotate(write, () => name === 'silent' && authority.revokeOld(), loop.signal);
      let rounds = 0;
      const until = performance.now() + loopMs;
      while (performance.now() < until) {
        await applyComponent(hub, component);
        await untilReady(hub, component);
        await deleteComponent(hub, component);
        await untilGone(hub, component);
        rounds += 1;
      }
      loop.abort();
      await rotating;
      expect(await failuresOf(name)).toEqual([]);
      expect(rounds).toBeGreaterThan(1);
      expect(authority.issued()).toBeGreaterThan(5);
      expect(await plugin.runsFor(name)).toBeLessThanOrEqual(2 * authority.issued());
    },
  );

  test(
    'a revoked token costs one refusal and one plugin run, and the pass succeeds',
    async () => {
      const { hub } = scene.fleet;
      const { component, http } = await spokeFor('revoked', 'KnativeServing', 1);
      const authority = createTokenAuthority(http, scene.fleet.spokes[1]?.token ?? '');
      await writeToken(hub, 'revoked', authority.issue(Infinity));
      await applyComponent(hub, component);
      await untilReady(hub, component);
      const runs = await plugin.runsFor('revoked');
      http.forget();
      await writeToken(hub, 'revoked', authority.issue(Infinity));
      authority.revokeOld();
      await triggerPass(hub, component, 'revoked');
      await untilPassed(scene, component, { trigger: 'revoked' });
      expect(http.requests.filter(({ status }) => status === 401)).toHaveLength(1);
      expect(await plugin.runsFor('revoked')).toBe(runs + 1);
      expect(await failuresOf('revoked')).toEqual([]);
      await deleteComponent(hub, component);
      await untilGone(hub, component);
    },
    testMs,
  );

  test(
    'ten resources that start at once on one profile need one plugin run in each worker process',
    async () => {
      const { hub } = scene.fleet;
      const { component } = await spokeFor('shared', 'KnativeEventing', 1);
      const ingress = { kourier: { enabled: true } };
      const serving = {
        ...component,
        kind: 'KnativeServing' as const,
        spec: { ...component.spec, version: sampleReleases.serving, ingress },
      };
      const ten = [component, serving].flatMap((one) =>
        [1, 2, 3, 4, 5].map((index) => ({ ...one, namespace: `tenant-${String(index)}` })),
      );
      await Promise.all(
        [...new Set(ten.map(({ namespace }) => namespace))].map((name) => ensureNamespace(hub, name)),
      );
      await Promise.all(ten.map((one) => applyComponent(hub, one)));
      const settled = await untilSettled(ten);
      const ready = ten.filter((one) => settled.get(keyOf(one)) === 'True');
      expect(ready.map(({ kind }) => kind).toSorted()).toEqual(['KnativeEventing', 'KnativeServing']);
      expect(await plugin.runsFor('shared')).toBe(1);
      await scene.operator.killWorker();
      await scene.operator.startWorker();
      const [winner = component] = ready;
      await triggerPass(hub, winner, 'restarted');
      await untilPassed(scene, winner, { trigger: 'restarted' });
      expect(await plugin.runsFor('shared')).toBe(2);
    },
    testMs,
  );

  async function failuresOf(name: string) {
    return (await failedAttempts(scene)).filter(({ component }) => component === name);
  }

  /** The status of condition Ready of each, once it is True or the cluster belongs to another component of the kind. */
  async function untilSettled(components: readonly Component[]): Promise<ReadonlyMap<string, string>> {
    let seen: unknown;
    try {
      return await until('every resource is Ready or refused', 180_000, async () => {
        const lists = ['KnativeServing', 'KnativeEventing'].map((kind) => secrets.list(apiVersion, kind));
        const all = (await Promise.all(lists))
          .flat()
          .map((object) => [keyOf(object), readyOf(object)] as const);
        seen = all;
        const settled = new Map(
          all.flatMap(([key, { status, reason }]) =>
            status === 'True' || reason === 'TargetClusterConflict' ? [[key, status]] : [],
          ),
        );
        return components.every((one) => settled.has(keyOf(one))) ? settled : undefined;
      });
    } catch (error) {
      throw new Error(`${(error as Error).message}; they are ${JSON.stringify(seen)}`);
    }
  }
});

function keyOf(object: ManifestObject | Component): string {
  const { name, namespace } = 'metadata' in object ? object.metadata : object;
  return `${object.kind}/${String(namespace)}/${String(name)}`;
}

function readyOf(object: ManifestObject): { readonly status: string; readonly reason: string } {
  const ready = listAt(object, 'status', 'conditions').find((one) => stringAt(one, 'type') === 'Ready');
  return { status: stringAt(ready, 'status') ?? '', reason: stringAt(ready, 'reason') ?? '' };
}

/** Each former token is revoked a while after the next one was written. */
async function rotate(write: () => Promise<void>, revokeOld: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(rotationMs - graceMs, undefined, { signal }).catch(() => undefined);
    await write();
    await sleep(graceMs);
    revokeOld();
  }
}

/** Puts a recorder in front of the plugin of the provider file. */
async function recordedProvider(scene: OperatorFleet): Promise<RecordedPlugin> {
  const file = JSON.parse(await readFile(scene.providerFile, 'utf8')) as {
    providers: { execConfig: { command: string; args: string[] } }[];
  };
  const [provider] = file.providers;
  if (provider === undefined) throw new Error('the provider file is empty');
  const { command, args } = provider.execConfig;
  const plugin = await recordPlugin(join(scene.folder, 'recorded-plugin'), [command, ...args]);
  const execConfig = { ...provider.execConfig, command: plugin.command, args: [] };
  await writeFile(scene.providerFile, JSON.stringify({ providers: [{ ...provider, execConfig }] }));
  return plugin;
}
