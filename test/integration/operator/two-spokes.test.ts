import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import {
  applyComponent,
  deleteComponent,
  eventingOn,
  readComponent,
  servingOn,
  startOperatorFleet,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { ComponentView, OperatorFleet } from '../../support/operator-fleet.ts';
import { scanHistories } from '../../support/scan-histories.ts';

describe('the operator on two spokes', () => {
  let scene: OperatorFleet;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2 });
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const components = () => {
    const [first, second] = scene.fleet.spokes;
    if (first === undefined || second === undefined) throw new Error('two spokes are needed');
    return { first, second, serving: servingOn(first), eventing: eventingOn(second) };
  };

  test('Serving and Eventing become Ready on two spokes at once, with status as specified', async () => {
    const { serving, eventing, first, second } = components();
    const { hub } = scene.fleet;
    await Promise.all([applyComponent(hub, serving), applyComponent(hub, eventing)]);
    const [onFirst, onSecond] = await Promise.all([untilReady(hub, serving), untilReady(hub, eventing)]);
    expect(conditionsOf(onFirst)).toEqual(allTrue);
    expect(conditionsOf(onSecond)).toEqual(allTrue);
    expect(onFirst.status?.version).toBe(testReleases.serving);
    expect(onSecond.status?.version).toBe(testReleases.eventing);
    expect(onFirst.status?.manifests).toEqual([
      `${testReleases.root}/knative-serving/${testReleases.serving}`,
      `${testReleases.root}/ingress/1.22/kourier`,
    ]);
    expect(onFirst.status?.target?.['profile']).toBe(`fleet/${first.name}`);
    expect(onSecond.status?.target?.['installNamespace']).toBe('knative-eventing');
    const owners = await kubectl(first, [
      'get',
      'deployments',
      '-n',
      'knative-serving',
      '-o',
      'jsonpath={range .items[*]}{.metadata.ownerReferences[*].name}{"\\n"}{end}',
    ]);
    expect(new Set(owners.trim().split('\n'))).toEqual(new Set(['knativeserving-serving-root-owner']));
    expect(await kubectl(second, ['get', 'namespaces', '-o', 'name'])).not.toContain('knative-serving');
    expect(await kubectl(hub, ['get', 'deployments', '-A', '-o', 'name'])).toBe('');
  });

  test('a full pass over a ready component moves no resourceVersion of what it installed', async () => {
    const { serving, first } = components();
    const { hub } = scene.fleet;
    const pass = async (value: string) => {
      await kubectl(hub, [
        'annotate',
        serving.kind,
        serving.name,
        '-n',
        serving.namespace,
        '--overwrite',
        `reconcile.knative.dev/trigger=${value}`,
      ]);
      await expect
        .poll(async () => (await readComponent(hub, serving))?.status?.['acknowledged'], { timeout: 60_000 })
        .toMatchObject({ trigger: value });
      await untilReady(hub, serving);
    };
    await pass('one');
    const before = await versionsOn(first);
    await pass('two');
    expect(await versionsOn(first)).toEqual(before);
  });

  test('labels and annotations of spec.namespace reach the destination namespace, and what others put there stays', async () => {
    const { serving, first } = components();
    const { hub } = scene.fleet;
    const name = 'knative-serving';
    await kubectl(first, ['label', 'namespace', name, 'team=platform', 'zone=a']);
    await kubectl(first, ['annotate', 'namespace', name, 'cost-center=12']);
    const namespace = { labels: { mesh: 'on' }, annotations: { contact: 'ops' } };
    await applyComponent(hub, { ...serving, spec: { ...serving.spec, namespace } });
    const theirs = { labels: { team: 'platform', zone: 'a' }, annotations: { 'cost-center': '12' } };
    const seen = () => namespaceOn(first, name);
    await expect.poll(seen, { timeout: 60_000 }).toMatchObject(namespace);
    expect(await seen()).toMatchObject(theirs);
    await untilReady(hub, serving);
    await applyComponent(hub, serving);
    await expect.poll(async () => (await seen()).labels['mesh'], { timeout: 60_000 }).toBeUndefined();
    expect((await seen()).annotations['contact']).toBeUndefined();
    expect(await seen()).toMatchObject(theirs);
    await untilReady(hub, serving);
  });

  test('deletion leaves nothing behind but CustomResourceDefinitions, and the resource can be made again', async () => {
    const { serving, eventing, first, second } = components();
    const { hub } = scene.fleet;
    await Promise.all([deleteComponent(hub, serving), deleteComponent(hub, eventing)]);
    await Promise.all([untilGone(hub, serving), untilGone(hub, eventing)]);
    expect(await remainsOn(first)).toEqual([]);
    expect(await remainsOn(second)).toEqual([]);
    expect(await kubectl(first, ['get', 'crds', '-o', 'name'])).toContain('knative.dev');
    await applyComponent(hub, serving);
    await untilReady(hub, serving);
    await deleteComponent(hub, serving);
    await untilGone(hub, serving);
    expect(await remainsOn(first)).toEqual([]);
  });

  test('no history holds a token, a key, a kubeconfig or a manifest', async () => {
    const { hub, spokes } = scene.fleet;
    const { scanned, violations } = await scanHistories(
      scene.temporal,
      [hub, ...spokes].map(({ token }) => token),
    );
    expect(violations).toEqual([]);
    expect(scanned).toBeGreaterThanOrEqual(3);
  });
});

const allTrue = {
  DependenciesInstalled: 'True',
  DeploymentsAvailable: 'True',
  InstallSucceeded: 'True',
  Ready: 'True',
  TargetClusterResolved: 'True',
  VersionMigrationEligible: 'True',
};

function conditionsOf(view: ComponentView): Record<string, string> {
  return Object.fromEntries((view.status?.conditions ?? []).map(({ type, status }) => [type, status]));
}

interface Marks {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

async function namespaceOn(spoke: OperatorFleet['fleet']['spokes'][number], name: string): Promise<Marks> {
  const text = await kubectl(spoke, ['get', 'namespace', name, '-o', 'json']);
  const { metadata } = JSON.parse(text) as { metadata: Partial<Marks> };
  return { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} };
}

async function versionsOn(spoke: OperatorFleet['fleet']['spokes'][number]): Promise<Record<string, string>> {
  const kinds =
    'deployments,configmaps,services,clusterroles,mutatingwebhookconfigurations,hpa,pdb,serviceaccounts,leases';
  const text = await kubectl(spoke, ['get', kinds, '-A', '-o', 'json']);
  const { items } = JSON.parse(text) as {
    items: { kind: string; metadata: { name: string; namespace?: string; resourceVersion: string } }[];
  };
  const ours = items.filter(
    ({ metadata }) => !/^kube-|^system|apiserver/.test(`${metadata.namespace ?? ''}${metadata.name}`),
  );
  return Object.fromEntries(
    ours.map(({ kind, metadata }) => [
      `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
      metadata.resourceVersion,
    ]),
  );
}
