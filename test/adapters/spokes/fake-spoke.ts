import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback server that plays the few answers of an API server that connecting needs, and counts what it answered. */
export interface FakeSpoke {
  readonly server: string;
  /** Tokens that are accepted; change it to revoke one. */
  readonly tokens: Set<string>;
  /** Status codes of all answers. */
  readonly answered: number[];
  /** Answers with this in place of the ordinary answer to requests for `path`. */
  override(path: string, answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startFakeSpoke(uid: string, tokens: readonly string[], port = 0): Promise<FakeSpoke> {
  const accepted = new Set(tokens);
  const answered: number[] = [];
  const overrides = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    response.on('finish', () => answered.push(response.statusCode));
    if (!accepted.has(tokenOf(request))) return answer(response, 401, status(401, 'Unauthorized'));
    const path = (request.url ?? '').split('?')[0] ?? '';
    const override = overrides.get(path);
    if (override !== undefined) return override(response);
    const body = ordinaryAnswer(path, uid);
    return body === undefined ? answer(response, 404, status(404, 'NotFound')) : answer(response, 200, body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    server: `http://127.0.0.1:${String(address.port)}`,
    tokens: accepted,
    answered,
    override: (path, how) => void overrides.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answer(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function status(code: number, reason: string, message = reason): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message };
}

export const kubeSystemPath = '/api/v1/namespaces/kube-system';

function tokenOf(request: IncomingMessage): string {
  return (request.headers.authorization ?? '').replace(/^Bearer /, '');
}

/** What an API server without objects of its own answers; undefined for what it does not have. */
export function ordinaryAnswer(path: string, uid: string): object | undefined {
  switch (path) {
    case '/api':
      return discovery(['namespaces', 'Namespace', 'Cluster'], ['configmaps', 'ConfigMap', 'Namespaced']);
    case '/apis':
      return { kind: 'APIGroupDiscoveryList', items: [] };
    case '/version':
      return { gitVersion: 'v1.35.0' };
    case kubeSystemPath:
      return { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'kube-system', uid } };
    case '/api/v1/namespaces/default/configmaps/one':
      return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one', namespace: 'default' } };
    default:
      return undefined;
  }
}

function discovery(...resources: readonly [plural: string, kind: string, scope: string][]): object {
  const described = resources.map(([resource, kind, scope]) => ({
    resource,
    responseKind: { group: '', version: 'v1', kind },
    scope,
    verbs: ['get', 'list'],
  }));
  return {
    kind: 'APIGroupDiscoveryList',
    items: [{ metadata: {}, versions: [{ version: 'v1', resources: described }] }],
  };
}
