import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { clientOf, listPath } from './client-under-test.ts';
import type { Answer, FakeApiServer } from './fake-api-server.ts';
import { configMap, inTurn, json, startFakeApiServer, status } from './fake-api-server.ts';

let server: FakeApiServer;
let client: ClusterClient;

beforeEach(async () => {
  server = await startFakeApiServer({ protocol: 'http' });
  client = clientOf(server);
});

afterEach(async () => {
  await client.close();
  await server.stop();
});

const list = json(200, {
  kind: 'ConfigMapList',
  metadata: { resourceVersion: '90' },
  items: [configMap('a')],
});
const look = { apiVersion: 'v1', kind: 'ConfigMap', since: '5' };

function stream(...events: readonly (readonly [type: string, object: object])[]): Answer {
  const lines = events.map(([type, object]) => `${JSON.stringify({ type, object })}\n`);
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(lines.join(''));
  };
}

describe('changes', () => {
  test('are everything when the server has forgotten the place, told by its status or by an event', async () => {
    const gone = status(410, 'Expired', 'too old resource version');
    const refusals = [json(410, gone), stream(['ERROR', { ...gone, code: 410 }])];
    for (const refusal of refusals) {
      server.on(listPath, inTurn(refusal, list));
      const changes = await client.changes(look);
      expect(changes).toMatchObject({ complete: true, until: '90' });
      expect(changes.present.map(({ metadata }) => metadata.name)).toEqual(['a']);
    }
  });

  test('tell the last state of an object that changed several times', async () => {
    const at = (name: string, resourceVersion: string) => configMap(name, { resourceVersion });
    server.on(
      listPath,
      stream(
        ['ADDED', at('again', '6')],
        ['DELETED', at('again', '7')],
        ['ADDED', at('again', '8')],
        ['MODIFIED', at('brief', '9')],
        ['DELETED', at('brief', '10')],
      ),
    );
    const { present, gone, until } = await client.changes(look);
    expect(present.map(({ metadata }) => metadata.resourceVersion)).toEqual(['8']);
    expect(gone.map(({ metadata }) => metadata.name)).toEqual(['brief']);
    expect(until).toBe('10');
  });

  test('reject on any other failure, so that nothing is taken for unchanged', async () => {
    server.on(listPath, json(403, status(403, 'Forbidden')));
    await expect(client.changes(look)).rejects.toMatchObject({ kind: 'SpokeForbidden' });
  });
});
