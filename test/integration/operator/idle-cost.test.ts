import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startMeter } from '../../../bench/traffic-meter.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { registerSpoke } from '../../../dev/operator/register-spoke.ts';
import {
  applyComponent,
  eventingOn,
  inventoryNamespace,
  servingOn,
  startOperatorFleet,
  untilCondition,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { OperatorFleet, OperatorIdentities } from '../../support/operator-fleet.ts';
import { accounts, shippedIdentities } from '../../support/shipped-identities.ts';

const intervalSeconds = 10;
const checks = 3;

let scene: OperatorFleet;
let spoke: Cluster;
let proxy: TcpProxy;

const components = () => {
  const drift = { drift: { interval: `${String(intervalSeconds)}s` } };
  return [servingOn(spoke, drift), eventingOn(spoke, drift)];
};
const hub = () => scene.fleet.hub;
const each = (act: (component: ReturnType<typeof servingOn>) => Promise<unknown>) =>
  Promise.all(components().map(act));

beforeAll(async () => {
  let identities: OperatorIdentities | undefined;
  scene = await startOperatorFleet({
    spokes: 1,
    auditedUsers: [accounts.spoke],
    identities: async (fleet) => (identities = await shippedIdentities(fleet)),
  });
  const [first] = scene.fleet.spokes;
  const token = identities?.spokes.get(first?.name ?? '');
  if (first === undefined || token === undefined) throw new Error('a spoke with an account is needed');
  spoke = first;
  proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(spoke.server).port) });
  const server = `https://127.0.0.1:${String(proxy.port)}`;
  await registerSpoke({ hub: hub(), spoke: { ...spoke, server, token }, namespace: inventoryNamespace });
  await each((component) => applyComponent(hub(), component));
  await each((component) => untilReady(hub(), component));
  // The first looks list everything.
  await sleep((intervalSeconds + 8) * 1_000);
});

afterAll(async () => {
  await scene?.stop();
  await proxy?.stop();
});

const meter = () => startMeter(spoke.auditLog ?? '', accounts.spoke, proxy);

describe('idle components', () => {
  test('cost no write, and each at most 20 requests and 60 kB for a comparison', async () => {
    const meters = await meter();
    await sleep(checks * intervalSeconds * 1_000);
    const { requests, bytesSent, bytesReceived } = await meters.read();
    const { get = 0, list = 0, watch = 0, discovery = 0, ...writes } = requests;
    const comparisons = checks * components().length;
    const kB = (bytesSent + bytesReceived) / 1_000 / comparisons;
    const count = (get + list + watch + discovery) / comparisons;
    expect(writes).toEqual({});
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(20);
    expect(kB).toBeLessThanOrEqual(60);
  });

  test('show that their spoke went away, and that it is back, without anybody asking and without an apply', async () => {
    proxy.refuse(true);
    proxy.resetAll();
    const away = { type: 'TargetClusterResolved', status: 'False', reason: 'SpokeUnreachable' };
    await each((component) => untilCondition(hub(), component, { ...away, within: 100_000 }));
    const meters = await meter();
    proxy.refuse(false);
    await each((component) =>
      untilCondition(hub(), component, { type: 'Ready', status: 'True', within: 100_000 }),
    );
    expect((await meters.read()).requests).not.toHaveProperty('patch');
  });
});
