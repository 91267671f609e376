import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { ensureNamespace } from '../../../dev/operator/prepare-hub.ts';
import { registerSpoke } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import { componentKinds } from '../../../domain/api/component-ref.ts';
import { eventReasons } from '../../support/hub-objects.ts';
import {
  goInstallation,
  makeGoInstallation,
  makeGoResource,
  renewGoLease,
} from '../../support/go-installation.ts';
import {
  deleteComponent,
  readComponent,
  startOperatorFleet,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { OperatorFleet } from '../../support/operator-fleet.ts';
import { anchorsOn, claimState, ownersOf, podsOf, templatesOf } from '../../support/spoke-objects.ts';

const installations = {
  KnativeServing: {
    file: 'knativeserving-1.21.3.json',
    namespace: 'knative-serving',
    deployment: 'controller',
    configMap: 'config-autoscaler',
    data: { 'stable-window': '90s' },
  },
  KnativeEventing: {
    file: 'knativeeventing-1.21.4.json',
    namespace: 'knative-eventing',
    deployment: 'eventing-controller',
    configMap: 'config-kreference-mapping',
    data: {},
  },
};
const available = testReleases.real && goInstallation(installations.KnativeServing.file) !== undefined;

describe.skipIf(!available)('an installation of the Go operator', () => {
  let scene: OperatorFleet;

  const adopted = componentKinds.map((kind) => {
    const { namespace, ...rest } = installations[kind];
    return { ...rest, component: { kind, name: namespace, namespace, spec: {} } };
  });

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1 });
    await scene.operator.killStarter();
    await registerSpoke({ hub: hub(), spoke: { ...spoke(), name: 'gold' }, namespace: 'fleet-system' });
    for (const { file, configMap, component } of adopted) {
      const recorded = goInstallation(file);
      if (recorded === undefined) throw new Error(`${file} is needed`);
      await makeGoInstallation(spoke(), recorded, configMap);
      await renewGoLease(hub(), component.kind, new Date());
      await ensureNamespace(hub(), component.namespace);
      await makeGoResource(hub(), recorded);
    }
    for (const { component } of adopted) await podsRun(component.namespace);
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const spoke = () => {
    const [first] = scene.fleet.spokes;
    if (first === undefined) throw new Error('a spoke is needed');
    return first;
  };
  const hub = () => scene.fleet.hub;

  async function podsRun(namespace: string): Promise<void> {
    await until(`the Pods in ${namespace} run`, 60_000, async () => {
      const ready = '{range .items[*]}{.spec.replicas}={.status.readyReplicas} {end}';
      const get = ['get', 'deployments,statefulsets', '-n', namespace, '-o', `jsonpath=${ready}`];
      const all = (await kubectl(spoke(), get)).trim().split(' ');
      // Of none at all the status says nothing.
      return all.every((pair) => /^((\d+)=\2|0=)$/.test(pair)) ? true : undefined;
    });
  }

  test('is not touched while that operator renews its leader Lease, and this is said', async () => {
    await scene.operator.startStarter();
    for (const { component } of adopted) {
      await until('an event says so', 60_000, async () =>
        (await eventReasons(hub(), component)).includes('GoOperatorActive') ? true : undefined,
      );
    }
    await sleep(1_000);
    for (const { component } of adopted) {
      expect(await claimState(spoke(), component.kind)).toBe('');
      expect((await readComponent(hub(), component))?.status?.target).toBeUndefined();
    }
  });

  const before = new Map<string, Awaited<ReturnType<typeof running>>>();

  async function running(namespace: string) {
    return {
      pods: await podsOf(spoke(), namespace),
      templates: await templatesOf(spoke(), namespace),
      anchors: await anchorsOn(spoke(), namespace),
    };
  }

  test('is taken over when that operator has stopped', async () => {
    for (const { component, deployment } of adopted) {
      const { kind, namespace } = component;
      before.set(kind, await running(namespace));
      const annotate = ['annotate', 'deployment', deployment, '-n', namespace, 'ann=was-here'];
      await kubectl(spoke(), [...annotate, '--field-manager=ann']);
    }
    for (const kind of componentKinds) await renewGoLease(hub(), kind, new Date(Date.now() - 3_600_000));
    for (const { component } of adopted) {
      await until('the claim is ours', 60_000, async () =>
        (await claimState(spoke(), component.kind)) === 'Owned' ? true : undefined,
      );
    }
  });

  test.each(adopted)(
    'of $component.kind runs on without the restart of a Pod, and what only that operator had set goes',
    async ({ component, deployment, configMap, data }) => {
      const { kind, namespace } = component;
      const at = ['-n', namespace];
      await until('nothing that nobody wants is left of it', 60_000, async () =>
        (await kubectl(spoke(), ['get', 'configmaps', ...at, '-o', 'name'])).includes('go-leftover')
          ? undefined
          : true,
      );
      await untilReady(hub(), component);
      const former = before.get(kind);
      expect(former?.pods.length).toBeGreaterThan(0);
      expect(await running(namespace)).toEqual(former);
      expect(former?.anchors).toHaveLength(1);
      expect(await ownersOf(spoke(), namespace)).toEqual(former?.anchors);
      const config = JSON.parse(
        await kubectl(spoke(), ['get', 'configmap', configMap, ...at, '-o', 'json']),
      ) as { data: Record<string, string> };
      expect(config.data).toMatchObject(data);
      expect(config.data).not.toHaveProperty('of-the-go-operator');
      const get = ['get', 'deployment', deployment, ...at, '-o', 'json', '--show-managed-fields'];
      const { metadata } = JSON.parse(await kubectl(spoke(), get)) as {
        metadata: { annotations: Record<string, string>; managedFields: { manager: string }[] };
      };
      expect(metadata.annotations).toMatchObject({ ann: 'was-here' });
      expect(metadata.annotations).not.toHaveProperty('manifestival');
      expect(metadata.managedFields.map(({ manager }) => manager)).not.toContain('manifestival');
    },
  );

  test.each(adopted)(
    'of $component.kind goes back by way of Retain with its anchor and without the restart of a Pod',
    async ({ component }) => {
      const { kind, name, namespace } = component;
      const { pods, anchors } = await running(namespace);
      const retain = '{"spec":{"deletion":{"policy":"Retain"}}}';
      await kubectl(hub(), ['patch', kind, name, '-n', namespace, '--type=merge', '-p', retain]);
      await deleteComponent(hub(), component);
      await untilGone(hub(), component);
      expect(await claimState(spoke(), kind)).toBe('Retained');
      expect(await anchorsOn(spoke(), namespace)).toEqual(anchors);
      expect(await podsOf(spoke(), namespace)).toEqual(pods);
    },
  );
});
