import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { AgentOptions } from 'node:https';

import { recordAt } from '../domain/manifests/object.ts';
import type { HubAccess } from './hub-access.ts';

const timeoutMs = 10_000;

/** The decoded keys of a Secret on the hub. Rejects with what is wrong and what to do; never with a value. */
export async function readHubSecret(
  hub: HubAccess,
  ref: { readonly namespace: string; readonly name: string },
): Promise<ReadonlyMap<string, string>> {
  const name = `Secret ${ref.namespace}/${ref.name}`;
  const { status, body } = await get(hub, `/api/v1/namespaces/${ref.namespace}/secrets/${ref.name}`);
  if (status === 404)
    throw new Error(`${name} does not exist on the hub; create it with the spoke's token under key token`);
  if (status === 403) throw new Error(`${name} may not be read on the hub; grant get on it to this account`);
  if (status !== 200) throw new Error(`the hub answered ${String(status)} to the read of ${name}`);
  const data = Object.entries(recordAt(JSON.parse(body), 'data'));
  return new Map(
    data.map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString('utf8').trim()]),
  );
}

async function get(hub: HubAccess, path: string): Promise<{ status: number; body: string }> {
  const proxy = hub.proxyUrl === undefined ? process.env : { HTTPS_PROXY: hub.proxyUrl };
  const { ca, cert, key, rejectUnauthorized, serverName } = hub;
  // proxyEnv is known to newer releases of Node only; older ones connect directly.
  const options: AgentOptions & { proxyEnv: Readonly<Record<string, string | undefined>> } = {
    rejectUnauthorized,
    ...defined({ ca, cert, key, servername: serverName }),
    proxyEnv: proxy,
  };
  const agent = new Agent(options);
  const url = new URL(hub.server);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  const authorization = hub.token === undefined ? {} : { authorization: `Bearer ${hub.token}` };
  const sending = { agent, headers: { accept: 'application/json', ...authorization }, timeout: timeoutMs };
  try {
    const response = await new Promise<IncomingMessage>((done, fail) => {
      const sent = request(url, sending, done);
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${String(timeoutMs / 1000)} s`)));
      sent.on('error', fail);
      sent.end();
    });
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
    return { status: response.statusCode ?? 0, body };
  } catch (error) {
    throw new Error(`the hub at ${url.origin} cannot be reached: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    agent.destroy();
  }
}

function defined(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
