import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { checkSearchAttributes } from '../../../adapters/temporal/search-attributes.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import { kubeconfigOf } from '../../../dev/control-plane/kubeconfig.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { remainsOn } from '../../../dev/demo/remains.ts';
import { profileHealth, registerSpoke, setProfileStatus } from '../../../dev/operator/register-spoke.ts';
import { serviceAccountToken } from '../../../dev/operator/service-account-token.ts';
import { createNamespace } from '../../../dev/temporal/create-namespace.ts';
import { searchAttributeTypes } from '../../../workflows/search-attributes.ts';
import { formatComponentRef } from '../../../domain/api/component-ref.ts';
import { until } from '../../../dev/processes/until.ts';
import type { CliRun, CliUser } from '../../support/cli.ts';
import { cliEnvironment, runAs } from '../../support/cli.ts';
import {
  applyComponent,
  deleteComponent,
  eventingOn,
  readComponent,
  servingOn,
  startOperatorFleet,
  testReleases,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import { isIdentity, shippedIdentities } from '../../support/shipped-identities.ts';

describe('the command line on a fleet', () => {
  let scene: OperatorFleet;
  let serving: Component;
  let eventing: Component;

  const printed: string[] = [];
  const cli = async (args: readonly string[], user: CliUser = {}): Promise<CliRun> => {
    const run = await runAs({ environment: cliEnvironment(scene), ...user }, args);
    printed.push(run.stdout, run.stderr);
    return run;
  };
  const nameOf = ({ kind, namespace, name }: Component) => formatComponentRef({ kind, namespace, name });

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2 });
    const [first, second] = scene.fleet.spokes;
    if (first === undefined || second === undefined) throw new Error('two spokes are needed');
    serving = servingOn(first);
    eventing = eventingOn(second);
    const { hub } = scene.fleet;
    await Promise.all([applyComponent(hub, serving), applyComponent(hub, eventing)]);
    await Promise.all([untilReady(hub, serving), untilReady(hub, eventing)]);
  });

  afterAll(async () => {
    await scene?.stop();
  });

  test('status shows where every component is and what it is at', async () => {
    const run = await until('the index of Temporal is up to date', 30_000, async () => {
      const seen = await cli(['status']);
      return /(Ready[^]*){2}/.test(seen.stdout) ? seen : undefined;
    });
    expect(run.code).toBe(0);
    const [heading, first, second] = run.stdout.split('\n');
    expect(heading).toMatch(/^COMPONENT +TARGET +WANTED +INSTALLED +STATE +SINCE +WAITING FOR$/);
    expect(first).toMatch(
      new RegExp(
        `^${nameOf(eventing)} +fleet/spoke-2 +${testReleases.eventing} +${testReleases.eventing} +Ready `,
      ),
    );
    expect(second).toMatch(new RegExp(`^${nameOf(serving)} +fleet/spoke-1 `));
  });
  test('status as JSON has the documented shape', async () => {
    const run = await cli(['status', nameOf(serving), '-o', 'json']);
    expect(JSON.parse(run.stdout)).toEqual({
      apiVersion: 'cli.fleet.knative.dev/v1',
      kind: 'FleetStatus',
      items: [
        {
          component: nameOf(serving),
          kind: serving.kind,
          namespace: serving.namespace,
          name: serving.name,
          uid: (await readComponent(scene.fleet.hub, serving))?.metadata.uid,
          target: 'fleet/spoke-1',
          server: scene.fleet.spokes[0]?.server,
          clusterUID: expect.any(String) as string,
          installNamespace: 'knative-serving',
          wanted: testReleases.serving,
          installed: testReleases.serving,
          state: 'Ready',
          ready: true,
          since: expect.stringMatching(/^20..-.*Z$/) as string,
          reason: null,
          waitingFor: null,
          workflow: nameOf(serving),
        },
      ],
      cleanups: [],
    });
  });

  test('status of a component that is not there ends with exit code 4', async () => {
    const run = await cli(['status', 'serving/platform/absent']);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toMatch(/^error: KnativeServing\/platform\/absent does not exist on the hub/);
  });

  test('status works from the conditions when Temporal does not answer, and says so', async () => {
    const run = await cli(['status', '--temporal-address', '127.0.0.1:1', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Temporal at 127.0.0.1:1 cannot be reached');
    const { items } = JSON.parse(run.stdout) as { items: { state: string }[] };
    expect(items.map(({ state }) => state)).toEqual(['Ready', 'Ready']);
  });

  test('describe shows conditions, workflow and events', async () => {
    const run = await cli(['describe', nameOf(serving)]);
    expect(run.code).toBe(0);
    for (const part of ['Conditions:', 'TargetClusterResolved', 'Phase:', 'Events:', 'InstallSucceeded'])
      expect(run.stdout).toContain(part);
    const json = await cli(['describe', 'serving/serving', '-n', 'platform', '-o', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'ComponentDescription',
      status: { state: 'Ready' },
      workflow: { status: 'RUNNING', state: { phase: 'Ready' }, pending: [] },
    });
  });
  test('suspend and resume take effect on the resource and say who asked', async () => {
    const suspended = await cli(['suspend', nameOf(eventing), '--reason', 'night', '--requested-by', 'ada']);
    expect(suspended.code).toBe(0);
    expect(suspended.stdout).toContain('suspended: nothing is written');
    await untilSuspended(eventing, true);
    const resumed = await cli(['resume', nameOf(eventing), '-o', 'json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      kind: 'CommandAnswers',
      items: [{ component: nameOf(eventing), command: 'resume', sentAs: 'update', answer: 'resumed' }],
    });
    await untilReady(scene.fleet.hub, eventing);
  });

  test('history tells what was written where, and who asked for what', async () => {
    const run = await cli(['history', nameOf(eventing)]);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^TIME +TARGET +STEP +OUTCOME +WHAT$/m);
    expect(run.stdout).toMatch(
      /fleet\/spoke-2 +applyStages +done +created \d+, changed \d+, unchanged \d+: /,
    );
    expect(run.stdout).toMatch(/suspend +asked +asked by ada: night/);
    expect(run.stdout).not.toContain('awaitReady');
    const json = await cli(['history', nameOf(eventing), '--all', '-o', 'json']);
    const { kind, items } = JSON.parse(json.stdout) as { kind: string; items: Record<string, unknown>[] };
    expect(kind).toBe('ComponentHistory');
    expect(items.find(({ step }) => step === 'applyStages')).toEqual({
      time: expect.stringMatching(/^20.*Z$/) as string,
      runId: expect.any(String) as string,
      target: 'fleet/spoke-2',
      step: 'applyStages',
      outcome: 'done',
      wrote: true,
      what: expect.any(String) as string,
      result: expect.objectContaining({ created: expect.any(Number) as number }) as object,
    });
    expect(items.map(({ step }) => step)).toContain('awaitReady');
  });

  test('history of a component that never ran ends with exit code 4', async () => {
    const run = await cli(['history', 'serving/platform/absent']);
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toContain('has no history in Temporal');
  });

  test('render prints what would be applied, from the hub and from a file without any server', async () => {
    const fromHub = await cli(['render', nameOf(serving)]);
    expect(fromHub.code).toBe(0);
    expect(fromHub.stdout).toContain('kind: Deployment');
    expect(fromHub.stdout.indexOf('kind: Namespace')).toBeLessThan(
      fromHub.stdout.indexOf('kind: Deployment'),
    );
    const file = join(scene.folder, 'serving.yaml');
    await writeFile(file, JSON.stringify(resourceOf(serving)));
    const environment = { RELEASES_DIRECTORY: testReleases.root };
    const fromFile = await cli(['render', '-f', file, '-o', 'json'], { environment });
    expect(fromFile.code).toBe(0);
    const { version, objects } = JSON.parse(fromFile.stdout) as { version: string; objects: unknown[] };
    expect(version).toBe(testReleases.serving);
    expect(objects).toHaveLength(fromHub.stdout.match(/^---$/gm)?.length ?? 0);
  });

  test('diff finds nothing on a target that is as wanted, and writes nothing', async () => {
    const run = await cli(['diff', nameOf(serving)]);
    expect(run.stdout).toMatch(/^fleet\/spoke-1: 0 to create, 0 to change, 0 to remove, \d+ unchanged$/m);
    expect(run.code).toBe(0);
  });

  test('diff shows what a changed spec, and what somebody changed on the target, would become', async () => {
    const [spoke] = scene.fleet.spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    const file = join(scene.folder, 'changed.yaml');
    const spec = { ...serving.spec, config: { logging: { 'loglevel.controller': 'debug' } } };
    await writeFile(file, JSON.stringify(resourceOf({ ...serving, spec })));
    const changed = await cli(['diff', '-f', file]);
    expect(changed.code).toBe(3);
    expect(changed.stdout).toContain('+++ wanted ConfigMap knative-serving/config-logging');
    expect(changed.stdout).toMatch(/^\+ +loglevel\.controller: debug$/m);
    // Held, so that the difference is not repaired before anybody can see it.
    await cli(['suspend', nameOf(serving)]);
    await untilSuspended(serving, true);
    await kubectl(spoke, ['delete', 'service', 'controller', '-n', 'knative-serving']);
    const json = await cli(['diff', nameOf(serving), '-o', 'json']);
    expect(json.code).toBe(3);
    const { items } = JSON.parse(json.stdout) as { items: { object: string; change: string }[] };
    expect(items).toContainEqual(
      expect.objectContaining({ object: 'Service knative-serving/controller', change: 'create' }),
    );
    const found = await kubectl(spoke, ['get', 'service', '-n', 'knative-serving', '-o', 'name']);
    expect(found).not.toContain('service/controller\n');
  });

  test('sync makes a full pass that puts back what was missing', async () => {
    const [spoke] = scene.fleet.spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    await cli(['resume', nameOf(serving)]);
    await untilSuspended(serving, false);
    const run = await cli(['sync', nameOf(serving), '-o', 'yaml']);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('answer: a full pass begins');
    await until('the Service is back', 30_000, async () => {
      const found = await kubectl(spoke, ['get', 'service', '-n', 'knative-serving', '-o', 'name']);
      return found.includes('service/controller\n') || undefined;
    });
  });

  test('status -w prints what changes, until it is interrupted', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = cli(['status', '-w', '-o', 'json'], {
      interrupted: stop.signal,
      onPrint: (text) => seen.push(text),
    });
    await until('both rows are printed', 30_000, () => Promise.resolve(seen.length >= 2 || undefined));
    stop.abort();
    expect((await watching).code).toBe(0);
    expect(seen.map((line) => (JSON.parse(line) as { component: string }).component)).toEqual(
      expect.arrayContaining([nameOf(serving), nameOf(eventing)]),
    );
  });

  describe('doctor', () => {
    interface Diagnosis {
      readonly problems: number;
      readonly items: readonly {
        check: string;
        object: string;
        state: string;
        what: string;
        fix: string | null;
      }[];
    }

    const diagnose = async (args: readonly string[], environment: Record<string, string> = {}) => {
      const run = await cli(['doctor', '-o', 'json', ...args], {
        environment: { ...cliEnvironment(scene), ...environment },
      });
      return { code: run.code, diagnosis: JSON.parse(run.stdout) as Diagnosis };
    };

    test('finds nothing on a fleet that is well', async () => {
      const { code, diagnosis } = await diagnose([]);
      expect(diagnosis.items.filter(({ state }) => state !== 'ok')).toEqual([]);
      expect(code).toBe(0);
      expect(diagnosis.items.map(({ check }) => check)).toEqual(
        expect.arrayContaining([
          'temporal.connection',
          'temporal.search-attributes',
          'temporal.workers',
          'hub.crd',
          'hub.rights',
          'access.plugin',
          'releases',
          'clusterprofile.rights',
        ]),
      );
      const text = await cli(['doctor']);
      expect(text.stdout).toMatch(/\d+ checks, 0 problems, 0 warnings/);
    });

    test('finds nothing to fix when worker and spoke have exactly the shipped rights', async () => {
      const { worker, spokes } = await shippedIdentities(scene.fleet);
      const [spoke] = scene.fleet.spokes;
      const object = await plantProfile('least', { token: spokes.get(spoke?.name ?? '') ?? '' });
      const { diagnosis } = await diagnose(['--kubeconfig', await hubConfig({ token: worker })]);
      expect(diagnosis.items.filter(({ state }) => state === 'problem')).toEqual([]);
      const rights = diagnosis.items.filter(({ check }) => check.endsWith('.rights'));
      expect(rights.map((item) => [item.check, item.object, item.state])).toEqual(
        expect.arrayContaining([
          ['hub.rights', scene.fleet.hub.server, 'ok'],
          ['clusterprofile.rights', object, 'ok'],
        ]),
      );
      await kubectl(scene.fleet.hub, ['delete', 'clusterprofile', '--all', '-n', 'faults']);
    });

    const faults: readonly (readonly [string, () => Promise<Fault>])[] = [
      [
        'Temporal does not answer',
        async () => ({ args: ['--temporal-address', '127.0.0.1:1'], finds: 'temporal.connection' }),
      ],
      [
        'the Temporal namespace does not exist',
        async () => ({ args: ['--temporal-namespace', 'nowhere'], finds: 'temporal.namespace' }),
      ],
      [
        'no worker takes tasks',
        async () => {
          const namespace = await bareNamespace();
          return { args: ['--temporal-namespace', namespace], finds: 'temporal.workers' };
        },
      ],
      [
        'the hub cannot be reached',
        async () => ({
          args: ['--kubeconfig', await hubConfig({ server: 'https://127.0.0.1:1' })],
          finds: 'hub.connection',
        }),
      ],
      [
        'the CRDs are not installed',
        async () => ({
          args: ['--kubeconfig', scene.fleet.spokes[1]?.kubeconfigPath ?? ''],
          finds: 'hub.crd',
        }),
      ],
      [
        'the account may not do what is needed',
        async () => ({
          args: ['--kubeconfig', await hubConfig({ token: await weakToken(scene.fleet.hub) })],
          finds: 'hub.rights',
          says: /may not .*knativeservings\.operator\.knative\.dev/,
        }),
      ],
      [
        'the provider file is broken in two places',
        async () => {
          const path = await providerFile([
            { name: '' },
            { name: 'b', execConfig: { command: 'x', apiVersion: 'v0' } },
          ]);
          return { args: ['--clusterprofile-provider-file', path], finds: 'access.provider-file', times: 2 };
        },
      ],
      [
        'a plugin cannot be executed',
        async () => {
          const plugin = join(scene.folder, 'plugin-of-nobody');
          await writeFile(plugin, '#!/bin/sh\n');
          const path = await providerFile([providerOf('secretreader', plugin)]);
          return {
            args: ['--clusterprofile-provider-file', path],
            finds: 'access.plugin',
            says: /not executable/,
          };
        },
      ],
      [
        'a ClusterProfile is unhealthy',
        async () => {
          const object = await plantProfile('unhealthy', { healthy: false });
          return { args: [], finds: 'clusterprofile.health', object };
        },
      ],
      [
        'a ClusterProfile names providers that the file does not know',
        async () => {
          const path = await providerFile([providerOf('stranger', '/bin/sh')]);
          return {
            args: ['--clusterprofile-provider-file', path],
            finds: 'clusterprofile.provider',
            says: /\[secretreader\].*\[stranger\]/,
          };
        },
      ],
      [
        'a plugin fails',
        async () => {
          const object = await plantProfile('unknown-to-plugin', { secret: false });
          return { args: [], finds: 'clusterprofile.credentials', object, says: /exit code/ };
        },
      ],
      [
        'nobody listens at the address of a ClusterProfile',
        async () => {
          const object = await plantProfile('dark', { server: 'https://127.0.0.1:1' });
          return { args: [], finds: 'clusterprofile.reachability', object };
        },
      ],
      [
        'the account on a spoke may not install',
        async () => {
          const [spoke] = scene.fleet.spokes;
          if (spoke === undefined) throw new Error('a spoke is needed');
          const object = await plantProfile('weak', { token: await weakToken(spoke) });
          return { args: [], finds: 'clusterprofile.rights', object };
        },
      ],
    ];

    test.each(faults)('finds that %s, and says what to do', async (_, plant) => {
      const { args, finds, object, says, times } = await plant();
      const { code, diagnosis } = await diagnose(args);
      const found = diagnosis.items.filter(
        (item) =>
          item.check === finds &&
          item.state === 'problem' &&
          (object === undefined || item.object === object),
      );
      expect(code).toBe(3);
      expect(found.length).toBeGreaterThanOrEqual(times ?? 1);
      for (const item of found) {
        expect(item.fix).toMatch(/\w{3}/);
        expect(item.what).toMatch(says ?? /\w{3}/);
      }
      await kubectl(scene.fleet.hub, ['delete', 'clusterprofile', '--all', '-n', 'faults']);
    });

    test('registers missing search attributes with --fix', async () => {
      const namespace = await bareNamespace(false);
      const before = await diagnose(['--temporal-namespace', namespace]);
      expect(stateOf(before.diagnosis)).toBe('problem');
      const fixing = await diagnose(['--fix', '--temporal-namespace', namespace]);
      expect(stateOf(fixing.diagnosis)).toBe('fixed');
      await until('the attributes are there', 30_000, async () => {
        const after = await diagnose(['--temporal-namespace', namespace]);
        return stateOf(after.diagnosis) === 'ok' || undefined;
      });
    });

    function stateOf({ items }: Diagnosis): string | undefined {
      return items.find(({ check }) => check === 'temporal.search-attributes')?.state;
    }

    interface Fault {
      readonly args: readonly string[];
      readonly finds: string;
      readonly object?: string;
      readonly says?: RegExp;
      readonly times?: number;
    }

    async function bareNamespace(registered = true): Promise<string> {
      const namespace = `doctor-${randomUUID()}`;
      const { address } = inject('temporal');
      if (registered) {
        await createNamespace(address, namespace);
        return namespace;
      }
      await scene.temporal.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
      });
      await until('the namespace is known', 30_000, async () => {
        const check = await checkSearchAttributes(scene.temporal.connection, namespace, searchAttributeTypes);
        return check.state === 'missing' || undefined;
      });
      return namespace;
    }

    async function hubConfig(access: { server?: string; token?: string }): Promise<string> {
      const path = join(scene.folder, `kubeconfig-${randomUUID()}`);
      const { server, caPem, token } = scene.fleet.hub;
      await writeFile(path, kubeconfigOf({ server, caPem, token, ...access }));
      return path;
    }

    async function weakToken(cluster: Cluster): Promise<string> {
      const list = { apiVersion: 'v1', kind: 'List', items: weakAccount };
      await kubectl(cluster, ['apply', '-f', '-'], JSON.stringify(list));
      return serviceAccountToken(cluster, { namespace: 'default', name: 'weak' });
    }

    async function providerFile(providers: readonly object[]): Promise<string> {
      const path = join(scene.folder, `providers-${randomUUID()}.json`);
      await writeFile(path, JSON.stringify({ providers }));
      return path;
    }

    async function plantProfile(
      name: string,
      fault: { healthy?: boolean; secret?: boolean; server?: string; token?: string },
    ): Promise<string> {
      const { hub, spokes } = scene.fleet;
      const [spoke] = spokes;
      if (spoke === undefined) throw new Error('a spoke is needed');
      const { server = spoke.server, token = spoke.token } = fault;
      await registerSpoke({ hub, namespace: 'faults', spoke: { name, server, token, caPem: spoke.caPem } });
      if (fault.healthy === false)
        await setProfileStatus(hub, { namespace: 'faults', name }, profileHealth(false));
      if (fault.secret === false) await kubectl(hub, ['delete', 'secret', name, '-n', 'knative-operator']);
      return `faults/${name}`;
    }
  });

  test('forced cleanup is refused for a component that nobody deleted, and without a reason', async () => {
    const refused = await cli(['cleanup', nameOf(serving), '--force', '--reason', 'test']);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain('nobody has deleted the resource; delete it first');
    expect((await cli(['cleanup', nameOf(serving), '--force'])).code).toBe(2);
  });

  test('a command without a worker is kept as a signal and takes effect when one runs', async () => {
    await scene.operator.killWorker();
    const run = await cli(['suspend', nameOf(eventing), '--requested-by', 'ada', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('waiting for a worker');
    expect(JSON.parse(run.stdout)).toMatchObject({ items: [{ command: 'suspend', sentAs: 'signal' }] });
    await scene.operator.startWorker();
    await untilSuspended(eventing, true);
    const state = async () => (await cli(['describe', nameOf(eventing)])).stdout;
    await expect.poll(state, { timeout: 30_000 }).toMatch(/State: +Suspended/);
    await cli(['resume', nameOf(eventing)]);
    await untilSuspended(eventing, false);
    await untilReady(scene.fleet.hub, eventing);
  });

  test('claim takeover gives the cluster to another component after a confirmation', async () => {
    const { hub } = scene.fleet;
    const rival = { ...eventing, name: 'rival' };
    await applyComponent(hub, rival);
    await untilCondition(hub, rival, {
      type: 'TargetClusterResolved',
      status: 'False',
      reason: 'TargetClusterConflict',
    });
    const owner = (await readComponent(hub, eventing))?.metadata.uid ?? '';
    const unasked = await cli(['claim', 'takeover', nameOf(rival)]);
    expect(unasked).toMatchObject({ code: 5, stdout: '' });
    expect(unasked.stderr).toContain(`claimed by ${nameOf(eventing)}, UID ${owner}`);
    const taken = await cli(['claim', 'takeover', nameOf(rival), '-o', 'json'], { answers: [owner] });
    expect(JSON.parse(taken.stdout)).toMatchObject({ component: nameOf(rival), from: { uid: owner } });
    await untilReady(hub, rival);
    const again = await cli(['claim', 'takeover', nameOf(rival)]);
    expect(again.stderr).toContain('holds the claim on fleet/spoke-2 already');
    await deleteComponent(hub, eventing);
    await untilGone(hub, eventing);
  });

  test('forced cleanup lets go of a component whose cluster is away, abandoned list says what stays, and abandoned retry removes it', async () => {
    const { hub, spokes } = scene.fleet;
    const [spoke] = spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    await spoke.stop();
    await deleteComponent(hub, serving);
    await untilCondition(hub, serving, { type: 'Finalizing', status: 'True', reason: 'Blocked' });
    const row = await cli(['status', nameOf(serving), '-o', 'json']);
    expect(JSON.parse(row.stdout)).toMatchObject({ items: [{ state: 'Finalizing', ready: false }] });
    const run = await cli([
      'cleanup',
      nameOf(serving),
      '--force',
      '--reason',
      'sold',
      '--requested-by',
      'ada',
    ]);
    expect(run).toMatchObject({ code: 0 });
    await untilGone(hub, serving);
    const list = await cli(['abandoned', 'list']);
    expect(list.stdout).toMatch(/KnativeServing\/platform\/serving +fleet\/spoke-1 +\S+ +\d+ +- +ada +sold/);
    const json = await cli(['abandoned', 'list', '-o', 'json']);
    const { items } = JSON.parse(json.stdout) as { items: { remaining: string[]; clusterProfile: string }[] };
    expect(items[0]?.remaining).toContain('Deployment knative-serving/controller');
    const absent = await cli(['abandoned', 'retry', 'serving/platform/absent']);
    expect(absent.code).toBe(4);
    const retried = await cli(['abandoned', 'retry', nameOf(serving), '-o', 'json']);
    expect(JSON.parse(retried.stdout)).toMatchObject({
      kind: 'RetriedRemovals',
      items: [{ component: nameOf(serving), target: 'fleet/spoke-1' }],
    });
    await spoke.restart();
    await until('what stayed behind is removed', 120_000, async () => {
      const seen = await cli(['abandoned', 'list', '-o', 'json']);
      const [record] = (JSON.parse(seen.stdout) as { items: { cleanedAt: string | null }[] }).items;
      return typeof record?.cleanedAt === 'string' || undefined;
    });
    expect((await remainsOn(spoke)).filter((remnant) => !isIdentity(remnant))).toEqual([]);
    expect((await cli(['abandoned', 'retry', '--all'])).stdout).toBe('Nothing was left behind.\n');
  });

  test('drain deletes every component only after the count was typed', async () => {
    const { hub } = scene.fleet;
    const wrong = await cli(['drain', '--policy', 'Delete'], { answers: ['7'] });
    expect(wrong).toMatchObject({ code: 5, stdout: '' });
    expect(wrong.stderr).toContain('KnativeEventing/platform/rival');
    expect(await readComponent(hub, { ...eventing, name: 'rival' })).toBeDefined();
    const run = await cli(['drain', '-o', 'json'], { answers: ['Delete', '1'] });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ gone: ['KnativeEventing/platform/rival'], left: [] });
    expect(await readComponent(hub, { ...eventing, name: 'rival' })).toBeUndefined();
    expect((await cli(['status'])).stdout).toBe('No components on this hub.\n');
  });

  test('purge removes CRDs by name, and those in use only with their objects', async () => {
    const [, second] = scene.fleet.spokes;
    if (second === undefined) throw new Error('two spokes are needed');
    const target = ['cleanup', '--target', 'fleet/spoke-2', '--purge-crds'];
    const crd = 'apiserversources.sources.knative.dev';
    await kubectl(second, ['apply', '-f', '-'], JSON.stringify(userSource));
    const inUse = await cli([...target, crd]);
    expect(inUse).toMatchObject({ code: 5, stdout: '' });
    expect(inUse.stderr).toContain(`${crd} has 1 (default/users-own)`);
    const foreign = await cli([...target, 'certificatesigningrequests.example.com']);
    expect(foreign.code).toBe(4);
    const run = await cli([...target, crd, '--with-objects', '-o', 'json'], { answers: ['fleet/spoke-2'] });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ objects: 1, items: [{ name: crd, outcome: 'removed' }] });
    expect(await kubectl(second, ['get', 'crds', '-o', 'name'])).not.toContain(crd);
  });

  test('no output shows a credential', () => {
    const tokens = [scene.fleet.hub, ...scene.fleet.spokes].map(({ token }) => token);
    expect(printed.length).toBeGreaterThan(20);
    for (const token of tokens) expect(printed.join('')).not.toContain(token);
  });

  async function untilSuspended(component: Component, wanted: boolean): Promise<void> {
    await until(`${component.name} is ${wanted ? '' : 'not '}suspended`, 60_000, async () => {
      const view = await readComponent(scene.fleet.hub, component);
      const annotations = (view?.metadata as { annotations?: Record<string, string> } | undefined)
        ?.annotations;
      return (annotations?.['fleet.knative.dev/suspend'] !== undefined) === wanted || undefined;
    });
  }
});

function resourceOf({ kind, name, namespace, spec }: Component): object {
  return { apiVersion: 'operator.knative.dev/v1beta1', kind, metadata: { name, namespace }, spec };
}

function providerOf(name: string, command: string): object {
  return { name, execConfig: { command, apiVersion: 'client.authentication.k8s.io/v1' } };
}

/** May look at clusters, and no more. */
const weakAccount = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'weak', namespace: 'default' } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'weak' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'weak', namespace: 'default' }],
  },
];

const userSource = {
  apiVersion: 'sources.knative.dev/v1',
  kind: 'ApiServerSource',
  metadata: { name: 'users-own', namespace: 'default' },
  spec: {
    resources: [{ apiVersion: 'v1', kind: 'Event' }],
    sink: { uri: 'http://example.test' },
  },
};
