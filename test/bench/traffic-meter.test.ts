import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startMeter } from '../../bench/traffic-meter.ts';

interface Line {
  readonly id: string;
  readonly verb: string;
  readonly user?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly code?: number;
  readonly at?: number;
}

function auditLine({ id, verb, user = 'operator', resource, name, code = 200, at = 0 }: Line): string {
  const time = new Date(Date.UTC(2026, 10, 30) + at * 1000).toISOString();
  const event = {
    auditID: id,
    verb,
    requestReceivedTimestamp: time,
    stageTimestamp: time,
    user: { username: user },
    ...(resource === undefined ? {} : { objectRef: { resource, name } }),
    responseStatus: { code },
  };
  return `${JSON.stringify(event)}\n`;
}

const proxy = { bytesToTarget: 100, bytesToClient: 1000 };

describe('startMeter', () => {
  let folder = '';
  let log = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-meter-'));
    log = join(folder, 'audit.log');
    await writeFile(log, auditLine({ id: 'before', verb: 'patch', resource: 'configmaps' }));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('counts each request of its user once, from its start, apart from those that name no resource', async () => {
    const meter = await startMeter(log, 'operator', proxy);
    const lines: readonly Line[] = [
      { id: '1', verb: 'get' },
      { id: '2', verb: 'patch', resource: 'configmaps', code: 201 },
      { id: '3', verb: 'patch', resource: 'configmaps' },
      { id: '4', verb: 'watch', resource: 'pods' },
      { id: '4', verb: 'watch', resource: 'pods' },
      { id: '5', verb: 'patch', resource: 'configmaps', code: 201, user: 'kubelet' },
    ];
    await appendFile(log, lines.map(auditLine).join(''));
    const { requests, created } = await meter.read();
    expect(requests).toEqual({ discovery: 1, patch: 2, watch: 1 });
    expect(created).toBe(1);
  });

  test('counts the bytes of the proxy since its start', async () => {
    const link = { ...proxy };
    const meter = await startMeter(log, 'operator', link);
    link.bytesToTarget += 7;
    link.bytesToClient += 70;
    expect(await meter.read()).toMatchObject({ bytesSent: 7, bytesReceived: 70 });
  });

  test('measures a namespace from its deletion to the last look at it', async () => {
    const meter = await startMeter(log, 'operator', proxy);
    const namespace = { resource: 'namespaces', name: 'knative-serving' };
    await appendFile(log, auditLine({ ...namespace, id: '1', verb: 'get', at: 1 }));
    expect(await meter.namespaceSeconds('knative-serving')).toBe(0);
    await appendFile(log, auditLine({ ...namespace, id: '2', verb: 'delete', at: 2 }));
    await appendFile(log, auditLine({ ...namespace, id: '3', verb: 'get', at: 7.5, code: 404 }));
    expect(await meter.namespaceSeconds('knative-serving')).toBe(5.5);
  });
});
