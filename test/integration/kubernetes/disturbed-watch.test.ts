import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import type { LineFate } from '../../../dev/fault-proxy/disturb-lines.ts';
import type { HttpProxy } from '../../../dev/fault-proxy/start-http-proxy.ts';
import { startHttpProxy } from '../../../dev/fault-proxy/start-http-proxy.ts';
import { stringAt } from '../../../domain/manifests/object.ts';
import { object, ownNamespace, spoke, spokeClient } from './spoke-client.ts';

const certificates = await makeCertificates(['IP:127.0.0.1']);

let writer: ClusterClient;
let namespace: string;
beforeAll(async () => {
  writer = spokeClient();
  namespace = await ownNamespace(writer);
});
afterAll(() => writer.close());

let proxy: HttpProxy;
let reader: ClusterClient;
beforeEach(async () => {
  proxy = await startHttpProxy({ target: spoke(), certificate: certificates.server });
  reader = spokeClient({}, { server: proxy.server, certificateAuthority: certificates.authority });
});
afterEach(async () => {
  await reader.close();
  await proxy.stop();
});

/** What a watch tells of steps 1 to 4 when this happens to the events of some of them. */
async function told(name: string, fates: Readonly<Record<string, LineFate>>): Promise<readonly string[]> {
  const write = async (step: number): Promise<void> => {
    const metadata = { name, namespace, labels: { watch: name } };
    await writer.apply(object('v1', 'ConfigMap', metadata, { data: { step: String(step) } }));
  };
  await write(0);
  proxy.inject(({ query }) =>
    query.has('watch')
      ? { type: 'disturb', decide: (line) => fates[/"step":"(\d)"/.exec(line)?.[1] ?? ''] ?? 'pass' }
      : undefined,
  );
  const stop = new AbortController();
  const steps: string[] = [];
  const watch = { apiVersion: 'v1', kind: 'ConfigMap', namespace, labelSelector: `watch=${name}` };
  for await (const event of reader.watch({ ...watch, signal: stop.signal })) {
    if (event.type === 'SYNC') for (const step of [1, 2, 3, 4]) await write(step);
    else steps.push(stringAt(event.object, 'data', 'step') ?? '');
    if (['3', '4'].every((step) => steps.includes(step))) break;
  }
  stop.abort();
  return steps;
}

describe('a watch of a real server through a proxy that disturbs it', () => {
  test.each<readonly [string, Readonly<Record<string, LineFate>>, readonly string[]]>([
    ['as it is', {}, ['1', '2', '3', '4']],
    ['without what is lost', { 1: 'drop', 2: 'drop' }, ['3', '4']],
    ['twice what is doubled', { 2: 'double' }, ['1', '2', '2', '3', '4']],
    ['out of order what is swapped', { 1: 'swap', 3: 'swap' }, ['2', '1', '4', '3']],
    ['late what nothing follows', { 4: 'swap' }, ['1', '2', '3', '4']],
  ])('tells events %s', async (what, fates, expected) => {
    expect(await told(what.replaceAll(' ', '-'), fates)).toEqual(expected);
  });
});
