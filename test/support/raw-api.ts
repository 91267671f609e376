import { Agent, request } from 'undici';

import type { JsonRecord } from '../../domain/manifests/object.ts';
import { isRecord, stringAt } from '../../domain/manifests/object.ts';

/** An answer of the API server as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly body: JsonRecord;
  /** The message of a Status, empty for an object. */
  readonly message: string;
}

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
}

/** Sends requests whose answers are looked at as they are, refusals included. */
export interface RawApi {
  send(request: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export function createRawApi(cluster: { server: string; token: string; caPem: string }): RawApi {
  const dispatcher = new Agent({ connect: { ca: cluster.caPem, timeout: 5_000 } });
  return {
    async send({ method, path, body, contentType = 'application/json', accept = 'application/json' }) {
      const answer = await request(`${cluster.server}${path}`, {
        method,
        dispatcher,
        headers: { authorization: `Bearer ${cluster.token}`, accept, 'content-type': contentType },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const parsed: unknown = await answer.body.json();
      const object = isRecord(parsed) ? parsed : {};
      const message = object['kind'] === 'Status' ? (stringAt(object, 'message') ?? '') : '';
      return { status: answer.statusCode, body: object, message };
    },
    close: () => dispatcher.close(),
  };
}
