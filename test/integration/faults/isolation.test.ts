import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { askedByClock, differingRequests } from '../../../bench/isolation-report.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import { measureOnNewGround } from '../../../dev/simulated-spokes/simulated-ground.ts';
import { createNamespace } from '../../../dev/temporal/create-namespace.ts';
import {
  applyComponent,
  sampleReleases,
  startOperatorFleet,
  untilCondition,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { OperatorFleet } from '../../support/operator-fleet.ts';
import { failedAttempts, triggerPass, untilPassed } from '../../support/passes.ts';
import type { FaultySpoke } from './faulty-spoke.ts';
import { startFaultySpoke } from './faulty-spoke.ts';

const testMs = 300_000;

describe('one of three spokes that never answers', () => {
  let scene: OperatorFleet;
  const spokes: FaultySpoke[] = [];

  beforeAll(async () => {
    // A sweep that comes before a slow pass has acknowledged its trigger asks for it once more.
    const environment = { SWEEP_INTERVAL_SECONDS: '600' };
    scene = await startOperatorFleet({ spokes: 3, releases: sampleReleases.root, environment });
    const certificates = await makeCertificates(['IP:127.0.0.1']);
    const { hub, spokes: clusters } = scene.fleet;
    for (const cluster of clusters) {
      const common = { hub, cluster, certificates, spec: { version: sampleReleases.serving } };
      spokes.push(
        await startFaultySpoke({ ...common, name: `behind-${cluster.name}`, kind: 'KnativeServing' }),
      );
    }
    await Promise.all(spokes.map(({ component }) => applyComponent(hub, component)));
    await Promise.all(spokes.map(({ component }) => untilReady(hub, component)));
  });

  afterAll(async () => {
    await scene?.stop();
    await Promise.all(spokes.map((spoke) => spoke.stop()));
  });

  test(
    'costs the two others nothing: a pass sends them the same requests as before',
    async () => {
      const { hub } = scene.fleet;
      const [silent, ...others] = spokes;
      if (silent === undefined) throw new Error('three spokes are needed');
      const pass = async (trigger: string) => {
        for (const { http } of others) http.forget();
        await Promise.all(others.map(({ component }) => triggerPass(hub, component, trigger)));
        await Promise.all(others.map(({ component }) => untilPassed(scene, component, { trigger })));
        return others.map(({ http }) => countRequests(http));
      };
      await pass('warm');
      const before = fewest(await pass('before-1'), await pass('before-2'));
      silent.tcp.blackHole(true);
      await triggerPass(hub, silent.component, 'silent');
      const down = { type: 'TargetClusterResolved', status: 'False', reason: 'SpokeUnreachable' };
      await untilCondition(hub, silent.component, down);
      expect(fewest(await pass('beside-1'), await pass('beside-2'))).toEqual(before);
      expect(
        (await failedAttempts(scene)).filter(({ component }) => component !== silent.component.name),
      ).toEqual([]);
      silent.tcp.blackHole(false);
      await untilPassed(scene, silent.component, { trigger: 'silent' });
    },
    testMs,
  );
});

describe('two of ten simulated spokes that never answer', () => {
  test(
    'cost the eight others no request',
    async () => {
      const { address } = inject('temporal');
      const measure = async (blackHoled: number) => {
        const namespace = `test-${randomUUID()}`;
        await createNamespace(address, namespace);
        return measureOnNewGround({
          temporal: { address, namespace },
          releases: sampleReleases,
          workflowBundle: inject('workflowBundle'),
          healthy: 8,
          blackHoled,
          withinMs: 120_000,
        });
      };
      const alone = await measure(0);
      const beside = await measure(2);
      expect(alone.requests).toHaveLength(8);
      expect(Object.keys(alone.requests[0] ?? {})).not.toHaveLength(0);
      // What the first of two runs asks more often is no cost of the second one's dead spokes.
      const costs = differingRequests(alone, beside).filter((counts) => counts.beside > counts.alone);
      expect(costs).toEqual([]);
    },
    testMs,
  );
});

type Requests = Readonly<Record<string, number>>;

function countRequests({ requests }: FaultySpoke['http']): Requests {
  const counts: Record<string, number> = {};
  for (const { method, path, status } of requests) {
    if (askedByClock.has(`${method} ${path}`)) continue;
    const request = `${method} ${path} ${String(status)}`;
    counts[request] = (counts[request] ?? 0) + 1;
  }
  return counts;
}

/** Of two passes over each spoke: what a busy machine makes a pass ask twice is no cost of another spoke. */
function fewest(first: readonly Requests[], second: readonly Requests[]): readonly Requests[] {
  return first.map((requests, index) => {
    const other = second[index] ?? {};
    const names = [...new Set([...Object.keys(requests), ...Object.keys(other)])].toSorted();
    return Object.fromEntries(names.map((name) => [name, Math.min(requests[name] ?? 0, other[name] ?? 0)]));
  });
}
