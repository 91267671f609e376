import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { remainsOn } from '../../../dev/demo/remains.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import {
  applyComponent,
  deleteComponent,
  startOperatorFleet,
  testReleases,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet } from '../../support/operator-fleet.ts';
import type { FaultySpoke } from './faulty-spoke.ts';
import { startFaultySpoke } from './faulty-spoke.ts';

const prefix = '/apis/proxy.example/v1/clusters/blue';

describe('a spoke that a reverse proxy serves under a path', () => {
  let scene: OperatorFleet;
  const spokes: FaultySpoke[] = [];

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 2 });
    const { hub, spokes: clusters } = scene.fleet;
    const certificates = await makeCertificates(['IP:127.0.0.1']);
    for (const [index, cluster] of clusters.entries()) {
      const protocol = index === 0 ? 'h2' : 'http/1.1';
      for (const kind of ['KnativeServing', 'KnativeEventing'] as const) {
        const name = `${cluster.name}-${kind.toLowerCase()}`;
        spokes.push(await startFaultySpoke({ hub, cluster, name, kind, certificates, protocol, prefix }));
      }
    }
  });

  afterAll(async () => {
    await scene?.stop();
    await Promise.all(spokes.map((spoke) => spoke.stop()));
  });

  const all = <T>(one: (component: Component) => Promise<T>): Promise<T[]> =>
    Promise.all(spokes.map(({ component }) => one(component)));

  test('takes both kinds from install over upgrade to removal, over HTTP/2 and 1.1, all below the path', async () => {
    const { hub, spokes: clusters } = scene.fleet;
    await all((component) => applyComponent(hub, at(component, '1.21.0')));
    await all((component) => untilReady(hub, component));
    await all((component) => applyComponent(hub, at(component, versionOf(component))));
    await all((component) =>
      expect
        .poll(async () => (await untilReady(hub, component)).status?.version, { timeout: 120_000 })
        .toBe(versionOf(component)),
    );
    for (const cluster of clusters)
      expect(await kubectl(cluster, ['get', 'deployments', '-A', '-o', 'name'])).not.toBe('');
    await all((component) => deleteComponent(hub, component));
    await all((component) => untilGone(hub, component));
    for (const cluster of clusters) expect(await remainsOn(cluster)).toEqual([]);
    expect(spokes.flatMap(({ http }) => http.strays)).toEqual([]);
    const protocols = spokes.map(({ http }) => [...new Set(http.requests.map(({ protocol }) => protocol))]);
    expect(protocols).toEqual([['h2'], ['h2'], ['http/1.1'], ['http/1.1']]);
  }, 300_000);
});

function at(component: Component, version: string): Component {
  return { ...component, spec: { ...component.spec, version } };
}

function versionOf({ kind }: Component): string {
  return kind === 'KnativeServing' ? testReleases.serving : testReleases.eventing;
}
