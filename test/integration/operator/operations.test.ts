import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { operatorNamespace } from '../../../dev/operator/prepare-hub.ts';
import { startOperatorProcess } from '../../../dev/operator/start-operator.ts';
import type { OperatorProcess } from '../../../dev/operator/start-operator.ts';
import { until } from '../../../dev/processes/until.ts';
import {
  applyComponent,
  deleteComponent,
  inventoryNamespace,
  readComponent,
  servingOn,
  startOperatorFleet,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { exportedMetrics } from '../../support/exported-metrics.ts';
import { ask, scrape, valueOf } from '../../support/scrape.ts';

const election = { LEADER_ELECTION: 'true', LEADER_ELECTION_LEASE_DURATION: '3s' };

describe('worker and starter in operation', () => {
  let scene: OperatorFleet;
  let second: OperatorProcess;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1, environment: election });
    await leading(scene.operator.operations.starter);
    second = await startOperatorProcess(scene.operatorOptions, 'starter', join(scene.folder, 'second.log'));
  });

  afterAll(async () => {
    await second?.stop();
    await scene?.stop();
  });

  const serving = () => {
    const [spoke] = scene.fleet.spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    return { component: servingOn(spoke), name: `${inventoryNamespace}/${spoke.name}` };
  };

  test('both are alive and become ready', async () => {
    for (const address of [
      scene.operator.operations.worker,
      scene.operator.operations.starter,
      second.operations,
    ]) {
      await until(`${address} is ready`, 30_000, async () => {
        const { status } = await ask(address, '/readyz');
        return status === 200 ? true : undefined;
      });
      expect(await ask(address, '/healthz')).toMatchObject({ status: 200 });
      expect((await ask(address, '/other')).status).toBe(404);
    }
  });

  test('of two starters one leads; when it is killed the other one takes over and serves what comes', async () => {
    expect(await leaderOf(second.operations)).toBe(0);
    const before = await holder();
    // Renewed several times by now, by the one that took it first.
    expect(await leaseAt('leaseTransitions')).toBe('1');
    await scene.operator.killStarter();
    await leading(second.operations);
    expect(await holder()).not.toBe(before);
    await applyComponent(scene.fleet.hub, serving().component);
    await untilReady(scene.fleet.hub, serving().component);
  });

  test('a worker tells how an install went: durations, requests and credentials of the spoke, and the SDK', async () => {
    const samples = await scrape(scene.operator.operations.worker);
    const { name } = serving();
    for (const activity of ['resolveTarget', 'planRelease', 'claimTarget', 'applyStages', 'awaitReady']) {
      const labels = { activity, kind: 'KnativeServing', outcome: 'completed' };
      expect(valueOf(samples, 'knative_fleet_activity_duration_seconds_count', labels)).toBeGreaterThan(0);
    }
    const applied = { spoke: name, method: 'PATCH', code: '201' };
    expect(valueOf(samples, 'knative_fleet_cluster_requests_total', applied)).toBeGreaterThan(10);
    expect(valueOf(samples, 'knative_fleet_cluster_requests_total', { spoke: 'hub' })).toBeGreaterThan(0);
    expect(valueOf(samples, 'knative_fleet_circuit_open', { spoke: name })).toBe(0);
    const runs = 'knative_fleet_credential_plugin_runs_total';
    expect(valueOf(samples, runs, { spoke: name, outcome: 'success' })).toBe(1);
    expect(valueOf(samples, runs, { spoke: name, outcome: 'failure' })).toBe(0);
    const obtained = valueOf(samples, 'knative_fleet_credential_obtained_timestamp_seconds', { spoke: name });
    expect(obtained).toBeGreaterThan(Date.now() / 1_000 - 600);
    expect(valueOf(samples, 'temporal_num_pollers')).toBeGreaterThan(0);
  });

  test('the starter that leads shows the conditions of each resource', async () => {
    const { component, name } = serving();
    const labels = {
      kind: component.kind,
      namespace: component.namespace,
      name: component.name,
      spoke: name,
    };
    await until('Ready is shown', 30_000, async () => {
      const samples = await scrape(second.operations);
      const ready = { ...labels, condition: 'Ready', status: 'True' };
      return valueOf(samples, 'knative_fleet_component_condition', ready);
    });
    const samples = await scrape(second.operations);
    const resolved = { ...labels, condition: 'TargetClusterResolved', status: 'True', reason: '' };
    expect(valueOf(samples, 'knative_fleet_component_condition', resolved)).toBe(1);
    const info = { ...labels, version: testReleases.serving };
    expect(valueOf(samples, 'knative_fleet_component_info', info)).toBe(1);
    expect(
      valueOf(samples, 'knative_fleet_component_unverified_since_timestamp_seconds', labels),
    ).toBeUndefined();
  });

  test('everything that is exported is declared with these labels, and the SDK exports what is relied on', async () => {
    const exported = await exportedMetrics();
    const samples = [
      ...(await scrape(scene.operator.operations.worker)),
      ...(await scrape(second.operations)),
    ];
    const own = samples.filter((sample) => sample.name.startsWith('knative_fleet_'));
    expect(own.length).toBeGreaterThan(50);
    for (const sample of own)
      expect(exported.get(sample.name)?.toSorted(), sample.name).toEqual(
        Object.keys(sample.labels).toSorted(),
      );
    const relied = [...exported.keys()].filter((name) => name.startsWith('temporal_'));
    const never = relied.filter(
      (name) => !name.includes('failure') && !samples.some((sample) => sample.name === name),
    );
    expect(never).toEqual([]);
    const unlabelled = relied.flatMap((name) => {
      const sample = samples.find((candidate) => candidate.name === name);
      const missing = (exported.get(name) ?? []).filter((label) => !(label in (sample?.labels ?? {})));
      return sample === undefined ? [] : missing.map((label) => `${name}{${label}}`);
    });
    expect(unlabelled).toEqual([]);
  });

  test('what keeps a component from its spoke is shown by the starter and logged with component, spoke and workflow', async () => {
    const name = `${inventoryNamespace}/nowhere`;
    const component: Component = {
      ...serving().component,
      name: 'lost',
      spec: { destination: { clusterProfileRef: { namespace: inventoryNamespace, name: 'nowhere' } } },
    };
    await applyComponent(scene.fleet.hub, component);
    const labels = { name: 'lost', spoke: name, condition: 'TargetClusterResolved', status: 'False' };
    await until('the reason is shown', 60_000, async () => {
      const reason = 'ClusterProfileNotFound';
      const samples = await scrape(second.operations);
      return valueOf(samples, 'knative_fleet_component_condition', { ...labels, reason });
    });
    const lines = (await readFile(scene.operator.logs.worker, 'utf8')).split('\n');
    const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
    expect(logged).toContainEqual(
      expect.objectContaining({
        workflowId: `KnativeServing/${component.namespace}/lost`,
        activity: 'resolveTarget',
        component: { kind: 'KnativeServing', namespace: component.namespace, name: 'lost' },
        spoke: name,
        kind: 'ClusterProfileNotFound',
      }),
    );
    await deleteComponent(scene.fleet.hub, component);
    await untilGone(scene.fleet.hub, component);
  });

  test('a leader that is told to end gives its Lease back and ends with code 0', async () => {
    await second.stop(20_000);
    expect(second.gone.reason).toHaveProperty('message', expect.stringContaining('ended with 0;'));
    expect(await holder()).toBe('');
    await scene.operator.startStarter();
    await leading(scene.operator.operations.starter);
    await deleteComponent(scene.fleet.hub, serving().component);
    await untilGone(scene.fleet.hub, serving().component);
    await until('its series are gone', 30_000, async () => {
      const samples = await scrape(scene.operator.operations.starter);
      return valueOf(samples, 'knative_fleet_component_info') === undefined ? true : undefined;
    });
  });

  test('a worker that is told to end in the middle of an install ends with code 0, and another one completes it', async () => {
    await scene.operator.killWorker();
    const log = join(scene.folder, 'drained.log');
    const worker = await startOperatorProcess(scene.operatorOptions, 'worker', log);
    await applyComponent(scene.fleet.hub, serving().component);
    await until('the install is under way', 60_000, async () => {
      const seen = await readComponent(scene.fleet.hub, serving().component);
      return seen?.status?.target === undefined ? undefined : true;
    });
    await worker.stop(60_000);
    expect(worker.gone.reason).toHaveProperty('message', expect.stringContaining('ended with 0;'));
    await scene.operator.startWorker();
    await untilReady(scene.fleet.hub, serving().component);
    await deleteComponent(scene.fleet.hub, serving().component);
    await untilGone(scene.fleet.hub, serving().component);
  });

  const holder = (): Promise<string> => leaseAt('holderIdentity');

  async function leaseAt(field: string): Promise<string> {
    const output = ['-o', `jsonpath={.spec.${field}}`];
    const lease = ['lease', 'knative-fleet-starter', '-n', operatorNamespace];
    return kubectl(scene.fleet.hub, ['get', ...lease, ...output]);
  }

  async function leaderOf(address: string): Promise<number | undefined> {
    return valueOf(await scrape(address), 'knative_fleet_leader');
  }

  async function leading(address: string): Promise<void> {
    await until(`the starter at ${address} leads`, 30_000, async () =>
      (await leaderOf(address)) === 1 ? true : undefined,
    );
  }
});
