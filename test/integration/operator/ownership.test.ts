import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { profileHealth, registerSpoke, setProfileStatus } from '../../../dev/operator/register-spoke.ts';
import { ensureNamespace } from '../../../dev/operator/prepare-hub.ts';
import { until } from '../../../dev/processes/until.ts';
import { abandonments, inventoryMirrors } from '../../support/hub-objects.ts';
import {
  applyComponent,
  deleteComponent,
  destination,
  inventoryNamespace,
  readComponent,
  resourceNamespace,
  sampleReleases,
  startOperatorFleet,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { startSecondHub } from '../../support/second-hub.ts';
import type { SecondHub } from '../../support/second-hub.ts';
import { anchorsOn, claimedAnchor, claimState, ownersOf, podsOf } from '../../support/spoke-objects.ts';

describe('who owns a spoke', () => {
  let scene: OperatorFleet;
  let second: SecondHub;
  let proxy: TcpProxy;

  beforeAll(async () => {
    scene = await startOperatorFleet({
      spokes: 2,
      releases: sampleReleases.root,
      environment: { MANIFEST_URL_PREFIXES: 'file:///tmp/' },
    });
    second = await startSecondHub(scene, sampleReleases.root);
    // Older than any claim: Kubernetes tells times in whole seconds.
    await ensureNamespace(spokes().spoke, resourceNamespace);
    proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(spokes().spoke.server).port) });
  });

  afterAll(async () => {
    await second?.stop();
    await scene?.stop();
    await proxy?.stop();
  });

  const spokes = () => {
    const [spoke, other] = scene.fleet.spokes;
    if (spoke === undefined || other === undefined) throw new Error('two spokes are needed');
    return { spoke, other };
  };
  const hub = () => scene.fleet.hub;

  const serving = (more: object = {}, name = 'serving'): Component => ({
    kind: 'KnativeServing',
    name,
    namespace: resourceNamespace,
    spec: {
      version: sampleReleases.serving,
      ingress: { kourier: { enabled: true } },
      ...destination(spokes().spoke),
      ...more,
    },
  });
  const retained = { deletion: { policy: 'Retain' } };
  const profileRef = () => ({
    destination: undefined,
    clusterProfileRef: { name: spokes().spoke.name, namespace: inventoryNamespace },
  });
  const object = ['knativeserving', 'serving', '-n', resourceNamespace];
  const availableOn = (spoke: Cluster) => {
    const path = '{.items[*].status.conditions[?(@.type=="Available")].status}';
    return kubectl(spoke, ['get', 'deployments', '-n', 'knative-serving', '-o', `jsonpath=${path}`]);
  };
  const remove = async (component: Component, from = hub()) => {
    await deleteComponent(from, component);
    await untilGone(from, component);
  };
  const annotate = (value: string) => kubectl(hub(), ['annotate', '--overwrite', ...object, value]);
  const setHealthy = (healthy: boolean) =>
    setProfileStatus(
      hub(),
      { namespace: inventoryNamespace, name: spokes().spoke.name },
      profileHealth(healthy),
    );
  /** Eventing on a spoke is installed, repaired when a Deployment of it goes, and removed. */
  const lookedAfterOn = async (spoke: Cluster) => {
    const spec = { version: sampleReleases.eventing, ...destination(spokes().spoke) };
    const eventing = {
      kind: 'KnativeEventing',
      name: 'eventing',
      namespace: resourceNamespace,
      spec,
    } as const;
    await applyComponent(hub(), eventing);
    await untilReady(hub(), eventing);
    const read = () =>
      kubectl(spoke, [
        'get',
        'deployment',
        'webhook',
        '-n',
        'knative-eventing',
        '-o',
        'jsonpath={.metadata.uid}',
        '--ignore-not-found',
      ]);
    const before = await read();
    await kubectl(spoke, ['delete', 'deployment', 'webhook', '-n', 'knative-eventing']);
    await until('the Deployment is there again', 30_000, async () => {
      const found = await read();
      return (found !== '' && found !== before) || undefined;
    });
    await untilReady(hub(), eventing);
    await remove(eventing);
  };
  const conflict = { type: 'TargetClusterResolved', status: 'False', reason: 'TargetClusterConflict' };

  test('an anchor that a person deletes is made again, and owns everything again while the collector is at work', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    const [before] = await anchorsOn(spoke);
    const available = await availableOn(spoke);
    const [name = ''] = (before ?? '').split('/');
    await kubectl(spoke, ['delete', 'configmap', '-n', 'knative-serving', name]);
    await annotate('reconcile.knative.dev/trigger=anchor');
    await until('a new anchor owns everything', 90_000, async () => {
      const [anchor] = await anchorsOn(spoke);
      const renewed = anchor !== undefined && anchor !== before;
      const owned = renewed && (await ownersOf(spoke)).every((owner) => owner === anchor);
      return owned && (await availableOn(spoke)) === available ? true : undefined;
    });
    const view = await untilReady(hub(), serving());
    const [anchor] = await anchorsOn(spoke);
    expect(anchor).toContain(view.status?.target?.['anchorUID'] ?? 'none');
    expect(await claimedAnchor(spoke)).toBe(view.status?.target?.['anchorUID']);
    await kubectl(spoke, ['delete', 'configmap', '-n', 'knative-serving', name]);
    await remove(serving());
    expect(await remainsOn(spoke)).toEqual([]);
  });

  test('what is retained is adopted by a resource of another name and field without the restart of a Pod', async () => {
    const { spoke } = spokes();
    const old = serving({ ...retained, ...profileRef() });
    await applyComponent(hub(), old);
    await untilReady(hub(), old);
    const pods = await podsOf(spoke);
    const [anchor] = await anchorsOn(spoke);
    await remove(old);
    expect(await claimState(spoke)).toBe('Retained');
    expect(await podsOf(spoke)).toEqual(pods);
    const renamed = serving(retained, 'renamed');
    await applyComponent(hub(), renamed);
    await untilReady(hub(), renamed);
    const [adopter, ...others] = await anchorsOn(spoke);
    expect(others).toEqual([]);
    expect(adopter).not.toBe(anchor);
    expect(await ownersOf(spoke)).toEqual([adopter]);
    expect(await podsOf(spoke)).toEqual(pods);
    await remove(renamed);
    await applyComponent(second.hub, serving());
    await untilReady(second.hub, serving());
    expect(await podsOf(spoke)).toEqual(pods);
    expect(await ownersOf(spoke)).toEqual(await anchorsOn(spoke));
  });

  test('a spoke that another hub owns is a conflict that names the owner, and is taken over when that is gone', async () => {
    const { spoke } = spokes();
    const owner = await readComponent(second.hub, serving());
    await applyComponent(hub(), serving());
    const view = await untilCondition(hub(), serving(), conflict);
    const message = view.status?.conditions?.find(({ type }) => type === conflict.type)?.message;
    expect(message).toContain(
      `KnativeServing/${resourceNamespace}/serving (UID ${owner?.metadata.uid ?? ''}`,
    );
    await remove(serving(), second.hub);
    await untilReady(hub(), serving());
    expect(await claimState(spoke)).toBe('Owned');
  });

  test('a second ClusterProfile with another address of one server meets the owner, and takes over when that is gone', async () => {
    const { spoke } = spokes();
    const throughProxy = { ...spoke, name: 'proxied', server: `https://127.0.0.1:${String(proxy.port)}` };
    await registerSpoke({ hub: hub(), spoke: throughProxy, namespace: inventoryNamespace });
    const proxied = serving(destination(throughProxy), 'proxied');
    await applyComponent(hub(), proxied);
    const view = await untilCondition(hub(), proxied, conflict);
    const message = view.status?.conditions?.find(({ type }) => type === conflict.type)?.message;
    expect(message).toContain(`KnativeServing/${resourceNamespace}/serving`);
    await remove(serving());
    await untilReady(hub(), proxied);
    await remove(proxied);
    expect(await remainsOn(spoke)).toEqual([]);
  });

  test('an installation of 1.22 in the namespace of its resource is kept where it is', async () => {
    const { spoke } = spokes();
    const anchor = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'knativeserving-serving-root-owner',
        namespace: resourceNamespace,
        labels: {
          'app.kubernetes.io/managed-by': 'knative-operator',
          'operator.knative.dev/cr-name': 'serving',
        },
        annotations: { 'operator.knative.dev/anchor': 'true' },
      },
    };
    await kubectl(spoke, ['create', '--field-manager=operator', '-f', '-'], JSON.stringify(anchor));
    const [made] = await anchorsOn(spoke, resourceNamespace);
    await applyComponent(hub(), serving(profileRef()));
    const view = await untilReady(hub(), serving());
    expect(view.status?.target?.['installNamespace']).toBe(resourceNamespace);
    expect(await anchorsOn(spoke, resourceNamespace)).toEqual([made]);
    expect(await podsOf(spoke, resourceNamespace)).not.toEqual([]);
    expect(await podsOf(spoke)).toEqual([]);
    await remove(serving());
    expect(await remainsOn(spoke)).toEqual([]);
    expect(await kubectl(spoke, ['get', 'namespace', resourceNamespace, '-o', 'name'])).toContain(
      resourceNamespace,
    );
  });

  test('a pass that finds both copies of the inventory lost writes them again and restarts no Pod', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    const pods = await podsOf(spoke);
    const [mirror = ''] = await inventoryMirrors(hub());
    await kubectl(hub(), ['delete', 'configmap', '-n', 'knative-operator', mirror]);
    const copy = ['configmap', '-n', 'default', 'knative-fleet-knativeserving-inventory'];
    await kubectl(spoke, ['delete', ...copy]);
    await annotate('reconcile.knative.dev/trigger=lost');
    await until('both are there again', 60_000, async () => {
      const again = await kubectl(spoke, ['get', ...copy, '-o', 'name', '--ignore-not-found']);
      const { status } = (await readComponent(hub(), serving())) ?? {};
      const served = JSON.stringify(status?.['acknowledged']).includes('lost');
      return served && again !== '' && (await inventoryMirrors(hub())).length === 1 ? true : undefined;
    });
    const handle = scene.temporal.workflow.getHandle(`KnativeServing/${resourceNamespace}/serving`);
    await until('the pass is over', 60_000, async () => {
      const { phase } = await handle.query<{ phase: string }>('describe');
      return phase === 'Ready' ? true : undefined;
    });
    expect(await podsOf(spoke)).toEqual(pods);
  });

  test('an object of a later wish that others made meanwhile is adopted: it stays at the end, with what they had set', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    // Kubernetes tells times in whole seconds.
    await sleep(1_100);
    const name = 'wanted-later';
    await kubectl(spoke, ['create', 'clusterrole', name, '--verb=get', '--resource=pods']);
    const read = async () =>
      JSON.parse(await kubectl(spoke, ['get', 'clusterrole', name, '-o', 'json'])) as {
        metadata: { uid: string; annotations?: object };
        rules: object[];
      };
    const before = await read();
    await sleep(1_100);
    const file = join(scene.folder, 'later.yaml');
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n';
    await writeFile(file, `${role}metadata: {name: ${name}, annotations: {ours: 'yes'}}\n`);
    const more = serving({ additionalManifests: [{ URL: `file://${file}` }] });
    await applyComponent(hub(), more);
    await until('it is applied', 60_000, async () => {
      const { metadata } = await read();
      return 'ours' in (metadata.annotations ?? {}) || undefined;
    });
    await untilReady(hub(), more);
    await remove(more);
    const { metadata, rules } = await read();
    expect(metadata.uid).toBe(before.metadata.uid);
    expect(metadata.annotations ?? {}).not.toHaveProperty('ours');
    expect(rules).toEqual(before.rules);
    await kubectl(spoke, ['delete', 'clusterrole', name]);
  });

  test('a deletion is clean without the workflow and both copies of the inventory, and spares what is not ours', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    const foreign = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'mine',
        namespace: 'default',
        labels: { 'app.kubernetes.io/name': 'knative-serving' },
      },
    };
    await kubectl(spoke, ['create', '-f', '-'], JSON.stringify(foreign));
    await scene.operator.killStarter();
    const handle = scene.temporal.workflow.getHandle(`KnativeServing/${resourceNamespace}/serving`);
    await handle.terminate('its history is lost');
    const [mirror = ''] = await inventoryMirrors(hub());
    await kubectl(hub(), ['delete', 'configmap', '-n', 'knative-operator', mirror]);
    await kubectl(spoke, ['delete', 'configmap', '-n', 'default', 'knative-fleet-knativeserving-inventory']);
    await deleteComponent(hub(), serving());
    await scene.operator.startStarter();
    await untilGone(hub(), serving());
    expect(await remainsOn(spoke)).toEqual(['ConfigMap default/mine']);
    await kubectl(spoke, ['delete', 'configmap', '-n', 'default', 'mine']);
  });

  test('an install namespace that a person deletes takes nothing from the cleanup, which goes on by one copy', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    await kubectl(spoke, ['delete', 'configmap', '-n', 'default', 'knative-fleet-knativeserving-inventory']);
    await kubectl(spoke, ['delete', 'namespace', 'knative-serving', '--wait=false']);
    await remove(serving());
    await until('the spoke is clean', 30_000, async () =>
      (await remainsOn(spoke)).length === 0 ? true : undefined,
    );
    expect(await inventoryMirrors(hub())).toEqual([]);
  });

  test('a removal that is held by a person goes on when its deadline passes', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving({ deletion: { deadline: '12s' } }));
    await untilReady(hub(), serving());
    await annotate('fleet.knative.dev/suspend=ann: not now');
    await deleteComponent(hub(), serving());
    await untilCondition(hub(), serving(), { type: 'Finalizing', status: 'True', reason: 'Paused' });
    expect(await podsOf(spoke)).not.toEqual([]);
    await untilGone(hub(), serving());
    expect(await remainsOn(spoke)).toEqual([]);
  });

  test('a finalizer that is patched away while the spoke is down leaves a record, and its successor takes over', async () => {
    const { spoke } = spokes();
    await applyComponent(hub(), serving());
    const { metadata } = await untilReady(hub(), serving());
    const pods = await podsOf(spoke);
    const handle = scene.temporal.workflow.getHandle(`KnativeServing/${resourceNamespace}/serving`);
    await setHealthy(false);
    await deleteComponent(hub(), serving());
    await untilCondition(hub(), serving(), { type: 'Finalizing', status: 'True', reason: 'Blocked' });
    await kubectl(hub(), ['patch', ...object, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    expect(await handle.result()).toBe('Abandoned');
    const record = (await abandonments(hub())).find(({ uid }) => uid === metadata.uid);
    expect(record?.['remaining']).toContain('Deployment knative-serving/controller');
    expect(record?.['clusterProfile']).toBe(`${inventoryNamespace}/${spoke.name}`);
    await setHealthy(true);
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    expect(await podsOf(spoke)).toEqual(pods);
  });

  test('an object of Serving that Eventing wants as well is refused with the name of its owner', async () => {
    const file = join(scene.folder, 'shared.yaml');
    const rbac = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n';
    await writeFile(file, `${rbac}metadata: {name: knative-serving-admin}\nrules: []\n`);
    const eventing: Component = {
      kind: 'KnativeEventing',
      name: 'eventing',
      namespace: resourceNamespace,
      spec: {
        version: sampleReleases.eventing,
        additionalManifests: [{ URL: `file://${file}` }],
        ...destination(spokes().spoke),
      },
    };
    await applyComponent(hub(), eventing);
    const view = await untilCondition(hub(), eventing, { type: 'InstallSucceeded', status: 'False' });
    expect(view.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain(
      `ClusterRole knative-serving-admin is installed by KnativeServing/${resourceNamespace}/serving`,
    );
    await remove(eventing);
    const role = ['get', 'clusterrole', 'knative-serving-admin', '-o', 'name'];
    expect(await kubectl(spokes().spoke, role)).toContain('knative-serving-admin');
  });

  test('a ClusterProfile that points to an empty cluster during a deletion never releases the finalizer, until it points back', async () => {
    const { spoke, other } = spokes();
    await applyComponent(hub(), serving());
    await untilReady(hub(), serving());
    const pods = await podsOf(spoke);
    await registerSpoke({ hub: hub(), spoke: { ...other, name: spoke.name }, namespace: inventoryNamespace });
    await deleteComponent(hub(), serving());
    await untilCondition(hub(), serving(), { type: 'Finalizing', status: 'True', reason: 'Blocked' });
    await sleep(5_000);
    const held = await readComponent(hub(), serving());
    expect(held?.metadata.finalizers).toEqual(['knativeservings.operator.knative.dev']);
    expect(JSON.stringify(held?.status?.conditions)).toContain('TargetClusterChanged');
    expect(await podsOf(spoke)).toEqual(pods);
    await registerSpoke({ hub: hub(), spoke, namespace: inventoryNamespace });
    await untilGone(hub(), serving());
    expect(await remainsOn(spoke)).toEqual([]);
    await applyComponent(hub(), serving());
  });

  test('another cluster at the address is refused until a person accepts it, the former one is recorded, and others on it are looked after', async () => {
    const { spoke, other } = spokes();
    const former = await untilReady(hub(), serving());
    await registerSpoke({ hub: hub(), spoke: { ...other, name: spoke.name }, namespace: inventoryNamespace });
    const changed = { type: 'TargetClusterResolved', status: 'False', reason: 'TargetClusterChanged' };
    await untilCondition(hub(), serving(), changed);
    expect(await remainsOn(other)).toEqual([]);
    await lookedAfterOn(other);
    const path = ['get', 'namespace', 'kube-system', '-o', 'jsonpath={.metadata.uid}'];
    const accepted = await kubectl(other, path);
    await annotate(`fleet.knative.dev/accept-cluster=${accepted}`);
    const view = await untilReady(hub(), serving());
    expect(view.status?.target?.['clusterUID']).toBe(accepted);
    const record = (await abandonments(hub())).find(({ uid }) => uid === former.metadata.uid);
    expect(record).toMatchObject({ clusterUID: await kubectl(spoke, path) });
    expect(record?.['remaining']).toContain('Deployment knative-serving/controller');
    expect(await podsOf(spoke)).not.toEqual([]);
    await remove(serving());
    expect(await remainsOn(other)).toEqual([]);
    expect(await remainsOn(spoke)).not.toEqual([]);
  });
});
