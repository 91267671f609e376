import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createClusterProfiles } from '../../../adapters/hub/cluster-profiles.ts';
import { resourceOf } from '../../../adapters/hub/components.ts';
import { createClusterClient } from '../../../adapters/kubernetes/http-cluster-client.ts';
import { loadHubConnection } from '../../../adapters/kubernetes/hub-connection.ts';
import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { startFleet } from '../../../dev/control-plane/start-fleet.ts';
import type { Fleet } from '../../../dev/control-plane/start-fleet.ts';
import { clusterProfileCrd } from '../../../dev/operator/cluster-profile-crd.ts';
import { profileHealth } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import type { ComponentWorkflows } from '../../../starter/component-workflows.ts';
import { watchClusterProfiles } from '../../../starter/watch-cluster-profiles.ts';
import type { CleanupWatch } from '../../../starter/watch-cleanups.ts';
import type { ComponentWatch } from '../../../starter/watch-components.ts';

const namespace = 'default';
const name = 'edge-1';
const cleanups: CleanupWatch = {
  run: async () => undefined,
  ensureAll: async () => undefined,
  targetChanged: async () => undefined,
};

describe('the watch of ClusterProfiles', () => {
  let fleet: Fleet;
  let hub: ClusterClient;
  const stop = new AbortController();
  const woken: string[] = [];
  let watching: Promise<void>;

  beforeAll(async () => {
    fleet = await startFleet({ spokes: 0 });
    hub = createClusterClient(loadHubConnection(fleet.hub.kubeconfigPath), { fieldManager: 'test' });
    watching = watchClusterProfiles(
      { hub, workflows, watches: [watch], cleanups, log, hubId: 'west' },
      stop.signal,
    );
  });

  afterAll(async () => {
    stop.abort();
    await watching;
    await hub?.close();
    await fleet?.stop();
  });

  test('begins when the kind appears, wakes components by what decides their access and not by heartbeats', async () => {
    await serve(['v1alpha1']);
    await kubectl(fleet.hub, ['apply', '-f', '-'], JSON.stringify(profile('v1alpha1')));
    await setStatus('v1alpha1', { ...profileHealth(true), accessProviders: providers('https://one') });
    await until('the component is woken', 60_000, async () => (woken.length > 0 ? true : undefined));
    await quiet();
    const before = woken.length;
    await setStatus('v1alpha1', profileHealth(true));
    await kubectl(fleet.hub, ['annotate', 'clusterprofile', name, 'heartbeat=1']);
    await quiet();
    expect(woken).toHaveLength(before);
    await setStatus('v1alpha1', { accessProviders: providers('https://two') });
    await until('the new address is told', 30_000, async () => (woken.length > before ? true : undefined));
    const workflowId = 'west/KnativeServing/team/serving';
    expect(logged).toContainEqual({ component: ref, spoke: `${namespace}/${name}`, workflowId });
  });

  test('goes on in another version when the hub no longer serves the first one', async () => {
    await serve(['v1alpha2']);
    const before = woken.length;
    await setStatus('v1alpha2', profileHealth(false));
    await until('the lost health is told', 90_000, async () => (woken.length > before ? true : undefined));
    const read = await createClusterProfiles(hub).read({ namespace, name });
    expect(read.status.accessProviders.map(({ cluster }) => cluster?.server)).toEqual(['https://two']);
  });

  test('wakes the component when its profile is deleted', async () => {
    const before = woken.length;
    await kubectl(fleet.hub, ['delete', 'clusterprofile', name]);
    await until('the loss is told', 60_000, async () => (woken[before] === '' ? true : undefined));
  });

  /** Until nothing is told for a while. */
  async function quiet(): Promise<void> {
    let seen = -1;
    while (seen !== woken.length) {
      seen = woken.length;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
  }

  async function serve(versions: readonly string[]): Promise<void> {
    const [first] = clusterProfileCrd.spec.versions;
    const all = ['v1alpha1', 'v1alpha2'].map((version) => ({
      ...first,
      name: version,
      served: versions.includes(version),
      storage: version === 'v1alpha1',
    }));
    const crd = { ...clusterProfileCrd, spec: { ...clusterProfileCrd.spec, versions: all } };
    await kubectl(fleet.hub, ['apply', '-f', '-'], JSON.stringify(crd));
    for (const version of versions)
      await until(`${version} is served`, 30_000, async () => {
        await kubectl(fleet.hub, ['get', `clusterprofiles.${version}.multicluster.x-k8s.io`]);
        return true;
      });
  }

  async function setStatus(version: string, status: object): Promise<void> {
    const resource = `clusterprofiles.${version}.multicluster.x-k8s.io`;
    const patch = JSON.stringify({ status });
    await until('the status is written', 30_000, async () => {
      await kubectl(fleet.hub, [
        'patch',
        resource,
        name,
        '--subresource=status',
        '--type=merge',
        '-p',
        patch,
      ]);
      return true;
    });
  }

  const ref = { kind: 'KnativeServing', namespace: 'team', name: 'serving' } as const;
  const resource = resourceOf(ref, {
    apiVersion: 'operator.knative.dev/v1beta1',
    kind: ref.kind,
    metadata: { namespace: ref.namespace, name: ref.name, uid: 'uid-1' },
    spec: { destination: { clusterProfileRef: { namespace, name } } },
  });
  const watch: ComponentWatch = {
    known: new Map([['KnativeServing/team/serving', resource]]),
    run: () => Promise.resolve(),
    announce: () => Promise.resolve(),
    catchUp: () => Promise.resolve(),
  };
  const unused = () => Promise.reject(new Error('not part of this test'));
  const workflows: ComponentWorkflows = {
    ensure: unused,
    changed: unused,
    deleted: unused,
    nudge: unused,
    forceCleanup: unused,
    gone: unused,
    open: () => Promise.resolve([]),
    async targetChanged(component, hash) {
      expect(component).toEqual(ref);
      woken.push(hash);
    },
  };
  const logged: object[] = [];
  const log = { debug() {}, info: (fields: object) => logged.push(fields), warn() {}, error() {} };

  function profile(version: string): object {
    const metadata = { namespace, name };
    return { apiVersion: `multicluster.x-k8s.io/${version}`, kind: 'ClusterProfile', metadata, spec: {} };
  }

  function providers(server: string): object {
    return [{ name: 'secretreader', cluster: { server } }];
  }
});
