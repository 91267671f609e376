import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { prepareCluster } from '../../conformance/prepare-cluster.ts';
import { clientOf } from '../../support/client-of.ts';
import { fullPass } from '../../support/full-pass.ts';
import { environmentIn, knativeControllers } from '../../support/knative-controllers.ts';
import { resourceVersions } from '../../support/live-objects.ts';
import {
  applyComponent,
  deleteComponent,
  destination,
  resourceNamespace,
  startOperatorFleet,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';

const stubs = fileURLToPath(new URL('../../../../shared/crds/stubs.yaml', import.meta.url));
const passes = 50;
const enabled = { enabled: true };

/** Matches no role on any cluster, so that its rules stay null for ever. */
const emptyRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: gathers-nothing}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {nobody: has-this}}]}
rules: []
`;

describe.skipIf(!testReleases.real)('a component with every plug-in, once it is Ready', () => {
  let scene: OperatorFleet;
  let hub: ClusterClient;
  let sites: readonly { readonly component: Component; readonly spoke: ClusterClient }[];

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2, environment: { MANIFEST_URL_PREFIXES: 'file:///tmp/' } });
    const [first, second] = scene.fleet.spokes;
    if (first === undefined || second === undefined) throw new Error('two spokes are needed');
    hub = clientOf(scene.fleet.hub, 'test');
    await Promise.all([prepareCluster(first, stubs), prepareCluster(second, stubs)]);
    const file = join(scene.folder, 'role.yaml');
    await writeFile(file, emptyRole);
    const more = { additionalManifests: [{ URL: `file://${file}` }] };
    const resource = { namespace: resourceNamespace };
    const serving: Component = {
      ...resource,
      kind: 'KnativeServing',
      name: 'serving',
      spec: { ...more, ...destination(first), ingress, security: { securityGuard: enabled } },
    };
    const eventing: Component = {
      ...resource,
      kind: 'KnativeEventing',
      name: 'eventing',
      spec: { ...more, ...destination(second), source },
    };
    sites = [
      { component: serving, spoke: clientOf(first, 'webhook') },
      { component: eventing, spoke: clientOf(second, 'eventing-controller') },
    ];
    await Promise.all(sites.map(({ component }) => applyComponent(scene.fleet.hub, component)));
    await Promise.all(sites.map(({ component }) => untilReady(scene.fleet.hub, component)));
  });

  afterAll(async () => {
    await Promise.all([hub, ...(sites ?? []).map(({ spoke }) => spoke)].map((client) => client?.close()));
    await scene?.stop();
  });

  const both = () => {
    const [serving, eventing] = sites;
    if (serving === undefined || eventing === undefined) throw new Error('both kinds are needed');
    return { serving, eventing };
  };
  const passOverBoth = (value: string) =>
    Promise.all(sites.map(({ component }) => fullPass(scene, hub, component, value)));

  test('the fields that its controllers set are right at creation, and stay as the controllers set them', async () => {
    const { serving, eventing } = both();
    const created = await webhook(serving.spoke);
    expect(recordAt(listAt(created, 'webhooks')[0])['rules']).not.toEqual([]);
    expect(listAt(created, 'webhooks').map((hook) => recordAt(hook, 'clientConfig')['caBundle'])).toEqual([
      undefined,
    ]);
    const adapter = await pingAdapter(eventing.spoke);
    expect(recordAt(adapter, 'spec')['replicas']).toBe(0);
    expect(environmentIn(adapter)).toContain('K_SINK_TIMEOUT=-1');

    const filled = await knativeControllers(serving.spoke).fillWebhooks('knative-serving');
    expect(filled.length).toBeGreaterThan(2);
    const activator = { namespace: 'knative-serving', name: 'activator' };
    await knativeControllers(serving.spoke).scale(activator, 3);
    const configured = await knativeControllers(eventing.spoke).configurePingAdapter('knative-eventing');
    await knativeControllers(eventing.spoke).fillWebhooks('knative-eventing');
    await passOverBoth('after the controllers');
    await passOverBoth('and again');

    const after = await Promise.all(
      filled.map(({ kind, metadata }) =>
        serving.spoke.get({ apiVersion: admission, kind, name: metadata.name ?? '' }),
      ),
    );
    expect(after.map((found) => found?.['webhooks'])).toEqual(filled.map((found) => found['webhooks']));
    const scaled = await serving.spoke.get({ apiVersion: 'apps/v1', kind: 'Deployment', ...activator });
    expect(recordAt(scaled, 'spec')['replicas']).toBe(3);
    const settled = await pingAdapter(eventing.spoke);
    expect(environmentIn(settled)).toEqual(environmentIn(configured));
    expect(recordAt(settled, 'spec')['replicas']).toBe(1);
  });

  test('an aggregated role that matches nothing, or whose rules were taken away, never makes a pass fail', async () => {
    const roles = await Promise.all(sites.map(({ spoke }) => aggregatedRoles(spoke)));
    expect(roles.map((found) => found.map(({ metadata }) => metadata.name))).toEqual([
      expect.arrayContaining(['gathers-nothing', 'knative-serving-admin']),
      expect.arrayContaining(['gathers-nothing', 'addressable-resolver']),
    ]);
    for (const [index, { spoke }] of sites.entries()) {
      for (const { metadata } of roles[index] ?? []) {
        const ref = { apiVersion: rbac, kind: 'ClusterRole', name: metadata.name ?? '' };
        await spoke.patch(ref, { type: 'merge', body: { rules: null } });
      }
    }
    await passOverBoth('without rules');
    for (const { spoke } of sites) {
      await expect
        .poll(async () => withoutRules(await aggregatedRoles(spoke)), { timeout: 20_000 })
        .toEqual(['gathers-nothing']);
    }
  });

  test(`${String(passes)} further full passes write nothing, also after the Jobs of the release have expired`, async () => {
    await passOverBoth('first');
    const before = await Promise.all(sites.map(({ spoke }) => resourceVersions(spoke)));
    const passOver = async ({ component, spoke }: (typeof sites)[number]) => {
      for (let pass = 1; pass <= passes; pass++) {
        if (pass === passes / 2) await expireJobs(spoke);
        await fullPass(scene, hub, component, `pass ${String(pass)}`);
      }
    };
    await Promise.all(sites.map(passOver));
    const after = await Promise.all(sites.map(({ spoke }) => resourceVersions(spoke)));
    expect(after.map(ofJobs)).toEqual([{}, {}]);
    expect(before.map(ofJobs).map((jobs) => Object.keys(jobs).length > 0)).toEqual([true, true]);
    expect(after.map(withoutJobs)).toEqual(before.map(withoutJobs));
  }, 900_000);

  test('deletion removes all of it, the role that matches nothing included', async () => {
    await Promise.all(sites.map(({ component }) => deleteComponent(scene.fleet.hub, component)));
    await Promise.all(sites.map(({ component }) => untilGone(scene.fleet.hub, component)));
    expect(await Promise.all(scene.fleet.spokes.map(remainsOn))).toEqual([[], []]);
    expect((await Promise.all(sites.map(({ spoke }) => aggregatedRoles(spoke)))).map(withoutRules)).toEqual([
      [],
      [],
    ]);
  });
});

const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';
const ingress = { istio: enabled, kourier: enabled, contour: enabled, 'gateway-api': enabled };
const source = Object.fromEntries(
  ['ceph', 'github', 'gitlab', 'kafka', 'rabbitmq', 'redis'].map((name) => [name, enabled]),
);

function webhook(spoke: ClusterClient): Promise<ManifestObject | undefined> {
  const name = 'webhook.serving.knative.dev';
  return spoke.get({ apiVersion: admission, kind: 'MutatingWebhookConfiguration', name });
}

function pingAdapter(spoke: ClusterClient): Promise<ManifestObject | undefined> {
  const ref = { namespace: 'knative-eventing', name: 'pingsource-mt-adapter' };
  return spoke.get({ apiVersion: 'apps/v1', kind: 'Deployment', ...ref });
}

/** Those of Kubernetes itself left out. */
async function aggregatedRoles(spoke: ClusterClient): Promise<readonly ManifestObject[]> {
  const roles = await spoke.list(rbac, 'ClusterRole');
  const builtIn = new Set(['admin', 'edit', 'view']);
  return roles.filter(
    (role) => role['aggregationRule'] !== undefined && !builtIn.has(role.metadata.name ?? ''),
  );
}

function withoutRules(roles: readonly ManifestObject[]): readonly (string | undefined)[] {
  return roles.filter((role) => listAt(role, 'rules').length === 0).map(({ metadata }) => metadata.name);
}

/** As the controller for finished Jobs does after their time to live. */
async function expireJobs(spoke: ClusterClient): Promise<void> {
  for (const { metadata } of await spoke.list('batch/v1', 'Job', { metadataOnly: true })) {
    const ref = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      namespace: metadata.namespace,
      name: metadata.name ?? '',
    };
    await spoke.delete(ref, { uid: metadata.uid, propagation: 'Foreground' });
  }
}

type Versions = Readonly<Record<string, string>>;

function ofJobs(versions: Versions): Versions {
  return Object.fromEntries(Object.entries(versions).filter(([key]) => key.startsWith('batch/Job/')));
}

/** Without Jobs and their Pods; those of Deployments stay in. */
function withoutJobs(versions: Versions): Versions {
  const jobs = Object.keys(ofJobs(versions)).map((key) => key.split('/').at(-1) ?? '');
  return Object.fromEntries(
    Object.entries(versions).filter(
      ([key]) =>
        !key.startsWith('batch/Job/') &&
        !jobs.some((job) => key.includes(`/Pod/`) && key.includes(`/${job}-`)),
    ),
  );
}
