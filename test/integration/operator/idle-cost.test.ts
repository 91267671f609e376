import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startMeter } from '../../../bench/traffic-meter.ts';
import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { registerSpoke } from '../../../dev/operator/register-spoke.ts';
import {
  applyComponent,
  deleteComponent,
  eventingOn,
  inventoryNamespace,
  servingOn,
  startOperatorFleet,
  untilCondition,
  untilGone,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { Component, OperatorFleet, OperatorIdentities } from '../../support/operator-fleet.ts';
import { accounts, shippedIdentities } from '../../support/shipped-identities.ts';

const intervalSeconds = 10;
const checks = 6;

let scene: OperatorFleet;
let spoke: Cluster;
let proxy: TcpProxy;

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
  const { hub } = scene.fleet;
  await registerSpoke({ hub, spoke: { ...spoke, server, token }, namespace: inventoryNamespace });
});

afterAll(async () => {
  await scene?.stop();
  await proxy?.stop();
});

describe.each([
  ['Serving', servingOn],
  ['Eventing', eventingOn],
] as const)('an idle %s', (_kind, on) => {
  let component: Component;

  beforeAll(async () => {
    component = on(spoke, { drift: { interval: `${String(intervalSeconds)}s` } });
    await applyComponent(scene.fleet.hub, component);
    await untilReady(scene.fleet.hub, component);
    // The first looks list everything.
    await sleep((intervalSeconds + 8) * 1_000);
  });

  test('costs no write, at most 20 requests and at most 60 kB for each comparison', async () => {
    const meter = await startMeter(spoke.auditLog ?? '', accounts.spoke, proxy);
    await sleep(checks * intervalSeconds * 1_000);
    const traffic = await meter.read();
    const { get = 0, list = 0, watch = 0, discovery = 0, ...writes } = traffic.requests;
    const requests = get + list + watch + discovery;
    const bytes = traffic.bytesSent + traffic.bytesReceived;
    const each = { requests: requests / checks, kB: bytes / checks / 1_000 };
    process.stdout.write(`${component.kind}: ${JSON.stringify({ ...each, ...traffic.requests })}\n`);
    expect(writes).toEqual({});
    expect(requests).toBeGreaterThan(0);
    expect(each.requests).toBeLessThanOrEqual(20);
    expect(each.kB).toBeLessThanOrEqual(60);
  });

  test('shows within a minute that its spoke went away, and that it is back, without anybody asking', async () => {
    const { hub } = scene.fleet;
    proxy.refuse(true);
    proxy.resetAll();
    const away = { type: 'TargetClusterResolved', status: 'False', reason: 'SpokeUnreachable' };
    await untilCondition(hub, component, { ...away, within: 120_000 });
    const meter = await startMeter(spoke.auditLog ?? '', accounts.spoke, proxy);
    proxy.refuse(false);
    await untilCondition(hub, component, { type: 'Ready', status: 'True', within: 120_000 });
    const { patch = 0 } = (await meter.read()).requests;
    expect(patch).toBe(0);
    await deleteComponent(hub, component);
    await untilGone(hub, component);
  });
});
