import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { profileHealth, setProfileStatus } from '../../../dev/operator/register-spoke.ts';
import { until } from '../../../dev/processes/until.ts';
import { cliEnvironment, runAs } from '../../support/cli.ts';
import {
  applyComponent,
  deleteComponent,
  destination,
  inventoryNamespace,
  readComponent,
  resourceNamespace,
  sampleReleases,
  startOperatorFleet,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';

interface FleetStatus {
  readonly items: readonly { component: string }[];
  readonly cleanups: readonly Record<string, unknown>[];
}

describe('the command line while components wait and while they leave a hub', () => {
  let scene: OperatorFleet;

  beforeAll(async () => {
    const environment = { REMOTE_DEPLOYMENTS_POLL_INTERVAL: '1s' };
    scene = await startOperatorFleet({ spokes: 1, releases: sampleReleases.root, environment });
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const cli = (args: readonly string[], answers: readonly string[] = []) =>
    runAs({ environment: cliEnvironment(scene), answers }, args);
  const fleetStatus = async (): Promise<FleetStatus> =>
    JSON.parse((await cli(['status', '-o', 'json'])).stdout) as FleetStatus;
  const spoke = () => {
    const [first] = scene.fleet.spokes;
    if (first === undefined) throw new Error('a spoke is needed');
    return first;
  };
  const hub = () => scene.fleet.hub;
  const eventing = (more: object = {}): Component => ({
    kind: 'KnativeEventing',
    name: 'eventing',
    namespace: resourceNamespace,
    spec: { version: sampleReleases.eventing, ...destination(spoke()), ...more },
  });
  const name = `KnativeEventing/${resourceNamespace}/eventing`;
  const onSpoke = (...args: readonly string[]) => kubectl(spoke(), ['get', ...args]);
  const setHealthy = (healthy: boolean) =>
    setProfileStatus(hub(), { namespace: inventoryNamespace, name: spoke().name }, profileHealth(healthy));

  test('describe and the details of the workflow name the workloads that a component waits for', async () => {
    const workload = { name: 'controller', nodeSelector: { pool: 'none' } };
    const waiting = eventing({ workloads: [workload] });
    await applyComponent(hub(), waiting);
    const handle = scene.temporal.workflow.getHandle(name);
    const details = await until('the details name it', 60_000, async () => {
      const query = '__temporal_workflow_metadata';
      const { currentDetails = '' } = await handle.query<{ currentDetails?: string }>(query);
      return currentDetails.includes('- waiting for: ') ? currentDetails : undefined;
    });
    expect(details).toMatch(/^\*\*Waiting\*\*: KnativeEventing `platform\/eventing`$/m);
    expect(details).toMatch(/^- waiting for: .*\bcontroller\b/m);
    const { stdout } = await cli(['describe', name, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      workflow: { state: { state: { waitingFor: expect.arrayContaining(['controller']) as string[] } } },
    });
    await deleteComponent(hub(), waiting);
    await untilGone(hub(), waiting);
  });

  test('status shows a removal that goes on without its resource, until it ends', async () => {
    const leaving = eventing({ deletion: { policy: 'Deferred' } });
    await applyComponent(hub(), leaving);
    const { metadata } = await untilReady(hub(), leaving);
    await setHealthy(false);
    await deleteComponent(hub(), leaving);
    await untilGone(hub(), leaving);
    const { items, cleanups } = await until('the removal is held up', 60_000, async () => {
      const seen = await fleetStatus();
      return typeof seen.cleanups[0]?.['reason'] === 'string' ? seen : undefined;
    });
    expect(items).toEqual([]);
    expect(cleanups).toEqual([
      {
        component: name,
        namespace: resourceNamespace,
        uid: metadata.uid,
        target: `${inventoryNamespace}/${spoke().name}`,
        state: 'Finalizing',
        since: expect.stringMatching(/^20..-.*Z$/) as string,
        reason: 'ClusterProfileNotReady',
        workflow: `cleanup/${name}/${metadata.uid}`,
      },
    ]);
    const { stdout, code } = await cli(['status', name]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^${name} +${inventoryNamespace}/${spoke().name} +Finalizing +\\S+ +ClusterProfileNotReady`,
        'm',
      ),
    );
    await setHealthy(true);
    await until('the removal has ended', 60_000, async () =>
      (await fleetStatus()).cleanups.length === 0 ? true : undefined,
    );
    expect((await cli(['status'])).stdout).toBe('No components on this hub.\n');
    expect(await onSpoke('deployments', '-n', 'knative-eventing', '-o', 'name')).toBe('');
  });

  test('drain with policy Retain takes every component from the hub and leaves Knative running for the next owner', async () => {
    await applyComponent(hub(), eventing());
    await untilReady(hub(), eventing());
    const uids = ['deployments', '-n', 'knative-eventing', '-o', 'jsonpath={.items[*].metadata.uid}'];
    const before = await onSpoke(...uids);
    expect(before).not.toBe('');
    const unasked = await cli(['drain', '--policy', 'Retain']);
    expect(unasked).toMatchObject({ code: 5, stdout: '' });
    expect(unasked.stderr).toContain('what they installed is left running, without an owner');
    expect(await readComponent(hub(), eventing())).toBeDefined();
    const run = await cli(['drain', '--policy', 'Retain', '--confirm', '1', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ policy: 'Retain', gone: [name], left: [] });
    expect(await readComponent(hub(), eventing())).toBeUndefined();
    expect(await onSpoke(...uids)).toBe(before);
    const claim = await onSpoke('lease', 'knative-fleet-knativeeventing', '-n', 'default', '-o', 'yaml');
    expect(claim).toContain('Retained');
    await applyComponent(hub(), eventing());
    await untilReady(hub(), eventing());
    expect(await onSpoke(...uids)).toBe(before);
  });
});
