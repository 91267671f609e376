import type { IncomingHttpHeaders } from 'node:http';

/** One request to an API server, without address and credentials. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Percent-encoded, below the path of the server address. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** For messages: `Deployment knative-serving/controller`. */
  readonly object: string;
  /** Sent once more at once when the connection broke before an answer: true for reads and server-side apply. */
  readonly repeatable?: boolean;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; text when an error answer is something else; undefined when empty. */
  readonly body: unknown;
}

/** What a request cost; for metrics and benchmarks. */
export interface RequestObservation {
  readonly method: string;
  readonly path: string;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly sentBytes: number;
  /** As transferred, so compressed. */
  readonly receivedBytes: number;
  readonly milliseconds: number;
}

/** Path and query as they follow the address. */
export function requestTarget(request: Pick<ApiRequest, 'path' | 'query'>): string {
  const entries = Object.entries(request.query ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return entries.length === 0 ? request.path : `${request.path}?${new URLSearchParams(entries).toString()}`;
}
