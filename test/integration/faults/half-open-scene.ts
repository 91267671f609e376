import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import type { Certificates } from '../../../dev/certificates/make-certificates.ts';
import { makeCertificates } from '../../../dev/certificates/make-certificates.ts';
import { messageOf } from '../../../domain/errors.ts';
import { clientOf, listPath, onePath, oneRef } from '../../adapters/kubernetes/client-under-test.ts';
import type { FakeApiServer } from '../../adapters/kubernetes/fake-api-server.ts';
import { configMap, json, startFakeApiServer } from '../../adapters/kubernetes/fake-api-server.ts';

/*
 * Runs in a network namespace of its own, where it may drop packets: a peer that vanished acknowledges nothing, which no
 * proxy on loopback can show. Prints one JSON object.
 */

const run = promisify(execFile);
const [, , what, wanted] = process.argv;
const protocol = wanted === 'h2' ? 'h2' : 'https';

async function drop(port: number, how: '-A' | '-D'): Promise<void> {
  for (const end of ['--dport', '--sport']) {
    await run('iptables', [how, 'OUTPUT', '-p', 'tcp', end, String(port), '-j', 'DROP']);
  }
}

async function startServer(certificates: Certificates): Promise<FakeApiServer> {
  const server = await startFakeApiServer({ protocol, certificate: certificates.server });
  server.on(onePath, json(200, configMap('one')));
  server.on(listPath, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const object = { metadata: { resourceVersion: '7', annotations } };
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  });
  return server;
}

/** Resolves with how a watch was interrupted that was open when its peer vanished. */
async function watchUntilNoticed(client: ClusterClient, vanish: () => Promise<void>): Promise<string> {
  const stop = new AbortController();
  const noticed = Promise.withResolvers<string>();
  const options = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    signal: stop.signal,
    onInterruption: (error: unknown) => noticed.resolve(messageOf(error)),
  };
  for await (const event of client.watch(options)) {
    if (event.type !== 'SYNC') continue;
    await vanish();
    void noticed.promise.then(() => stop.abort());
  }
  return noticed.promise;
}

/** Resolves with how a request failed on a connection whose peer vanished while it was idle. */
async function requestUntilNoticed(client: ClusterClient, vanish: () => Promise<void>): Promise<string> {
  await client.get(oneRef);
  await vanish();
  return client.get(oneRef).then(
    () => 'an answer',
    (error: unknown) => messageOf(error),
  );
}

async function main(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  const certificates = await makeCertificates(['IP:127.0.0.1']);
  const server = await startServer(certificates);
  const client = clientOf({ server: server.server, certificateAuthority: certificates.authority });
  let droppedAt = 0;
  const vanish = async (): Promise<void> => {
    await drop(server.port, '-A');
    droppedAt = performance.now();
  };
  const notice = await (what === 'watch' ? watchUntilNoticed : requestUntilNoticed)(client, vanish);
  const seconds = (performance.now() - droppedAt) / 1_000;
  await drop(server.port, '-D');
  client.resetCircuit();
  const again = await client.get(oneRef);
  process.stdout.write(JSON.stringify({ notice, seconds, again: again?.metadata.name }));
  await client.close();
  await server.stop();
}

await main();
