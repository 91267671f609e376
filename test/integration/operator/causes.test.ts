import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { profileHealth, registerSpoke, setProfileStatus } from '../../../dev/operator/register-spoke.ts';
import {
  applyComponent,
  deleteComponent,
  destination,
  inventoryNamespace,
  servingOn,
  startOperatorFleet,
  testReleases,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, ComponentView, OperatorFleet } from '../../support/operator-fleet.ts';

describe('a cause that keeps a component from Ready', () => {
  let scene: OperatorFleet;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1, environment: { MANIFEST_URL_PREFIXES: 'file:///tmp/' } });
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

  /** Applies, expects the condition, repairs, and expects Ready; then removes the component again. */
  async function repaired(cause: {
    readonly component: Component;
    readonly condition: { readonly type: string; readonly reason: string };
    readonly message: string;
    readonly repair: () => Promise<void>;
  }): Promise<void> {
    await applyComponent(hub(), cause.component);
    const view = await untilCondition(hub(), cause.component, { ...cause.condition, status: 'False' });
    expect(messageOf(view, cause.condition.type)).toContain(cause.message);
    expect(messageOf(view, 'Ready')).toBe(messageOf(view, cause.condition.type));
    await cause.repair();
    await untilReady(hub(), cause.component);
    await deleteComponent(hub(), cause.component);
    await untilGone(hub(), cause.component);
  }

  test('a ClusterProfile that does not exist is named, and its creation heals the component', async () => {
    const renamed = { ...spoke(), name: 'late' };
    await repaired({
      component: servingOn(spoke(), destination(renamed)),
      condition: { type: 'TargetClusterResolved', reason: 'ClusterProfileNotFound' },
      message: `failed to get ClusterProfile ${inventoryNamespace}/late`,
      repair: () => registerSpoke({ hub: hub(), spoke: renamed, namespace: inventoryNamespace }),
    });
  });

  test('a ClusterProfile that is unhealthy is named, and its health heals the component', async () => {
    const profile = { namespace: inventoryNamespace, name: spoke().name };
    await setProfileStatus(hub(), profile, profileHealth(false));
    await repaired({
      component: servingOn(spoke()),
      condition: { type: 'TargetClusterResolved', reason: 'ClusterProfileNotReady' },
      message: `ClusterProfile ${inventoryNamespace}/${spoke().name} is not ready`,
      repair: () => setProfileStatus(hub(), profile, profileHealth(true)),
    });
  });

  test('a provider file without a matching provider is shown with both lists, and a changed file heals the component', async () => {
    const good = await readFile(scene.providerFile, 'utf8');
    await writeFile(scene.providerFile, good.replace('"secretreader"', '"another"'));
    await repaired({
      component: servingOn(spoke()),
      condition: { type: 'TargetClusterResolved', reason: 'AccessProviderFailed' },
      message: 'another',
      repair: () => writeFile(scene.providerFile, good),
    });
  });

  test('a plugin that exits with 1 is shown with its last words, and a plugin that works heals the component', async () => {
    const good = await readFile(scene.providerFile, 'utf8');
    const plugin = join(scene.folder, 'failing-plugin');
    await writeFile(plugin, '#!/bin/sh\necho "the vault is sealed" >&2\nexit 1\n');
    await chmod(plugin, 0o755);
    await writeFile(scene.providerFile, JSON.stringify(withCommand(good, plugin)));
    await repaired({
      component: servingOn(spoke()),
      condition: { type: 'TargetClusterResolved', reason: 'AccessProviderFailed' },
      message: 'the vault is sealed',
      repair: () => writeFile(scene.providerFile, good),
    });
  });

  test('a version that does not exist is named with those that do, and a version that exists heals the component', async () => {
    const component = servingOn(spoke(), { version: '1.22.99' });
    await repaired({
      component,
      condition: { type: 'InstallSucceeded', reason: 'Error' },
      message: 'the manifests of the target version 1.22.99 are not available to this release',
      repair: () => applyComponent(hub(), servingOn(spoke())),
    });
  });

  test('broken YAML in an additional manifest is shown with its file and line, and a corrected file heals the component', async () => {
    const file = join(scene.folder, 'extra.yaml');
    await writeFile(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra\ndata: {}\n');
    const component = servingOn(spoke(), { additionalManifests: [{ URL: `file://${file}` }] });
    await repaired({
      component,
      condition: { type: 'InstallSucceeded', reason: 'Error' },
      message: 'extra.yaml',
      repair: async () => {
        await writeFile(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\ndata: {}\n');
        const object = [component.kind, component.name, '-n', component.namespace];
        await kubectl(hub(), ['annotate', ...object, 'reconcile.knative.dev/trigger=repaired']);
      },
    });
  });

  test('a version that the installed one cannot move to is refused at once, and what is installed stays', async () => {
    const component = servingOn(spoke());
    await applyComponent(hub(), component);
    await untilReady(hub(), component);
    await applyComponent(hub(), servingOn(spoke(), { version: '3.0' }));
    const refused = { type: 'VersionMigrationEligible', status: 'False', reason: 'Error' };
    const view = await untilCondition(hub(), component, refused);
    expect(messageOf(view, 'Ready')).toContain('across the MAJOR version');
    expect(view.status?.version).toBe(testReleases.serving);
    const deployments = await kubectl(spoke(), ['get', 'deployments', '-n', 'knative-serving', '-o', 'name']);
    expect(deployments).toContain('controller');
    await applyComponent(hub(), component);
    await untilReady(hub(), component);
  });

  test('a paused component is not touched, says so, and goes on when the pause ends', async () => {
    const component = servingOn(spoke());
    await applyComponent(hub(), component);
    await untilReady(hub(), component);
    await applyComponent(
      hub(),
      servingOn(spoke(), { paused: true, config: { features: { sample: 'paused' } } }),
    );
    await untilCondition(hub(), component, {
      type: 'TargetClusterResolved',
      status: 'False',
      reason: 'Paused',
    });
    const sample = [
      'get',
      'configmap',
      'config-features',
      '-n',
      'knative-serving',
      '-o',
      'jsonpath={.data.sample}',
    ];
    expect(await kubectl(spoke(), sample)).not.toBe('paused');
    await applyComponent(
      hub(),
      servingOn(spoke(), { paused: false, config: { features: { sample: 'paused' } } }),
    );
    await expect.poll(() => kubectl(spoke(), sample), { timeout: 60_000 }).toBe('paused');
    await untilReady(hub(), component);
    await deleteComponent(hub(), component);
    await untilGone(hub(), component);
  });
});

function messageOf(view: ComponentView, type: string): string {
  return view.status?.conditions?.find((condition) => condition.type === type)?.message ?? '';
}

function withCommand(providerFile: string, command: string): object {
  const file = JSON.parse(providerFile) as { providers: { execConfig: object }[] };
  return {
    providers: file.providers.map((provider) => ({
      ...provider,
      execConfig: { ...provider.execConfig, command, args: [] },
    })),
  };
}
