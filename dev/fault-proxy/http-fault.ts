import type { LineFate } from './disturb-lines.ts';

/** A request as a proxy sees it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Without prefix and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** `h2` or `http/1.1`. */
  readonly protocol: string;
}

/** What a proxy does to one request in place of passing it on unchanged. */
export type HttpFault =
  | AnswerFault
  /** Waits, then passes the request on. */
  | { readonly type: 'delay'; readonly ms: number }
  /** Sends the first half of the real answer and ends it properly. */
  | { readonly type: 'truncate' }
  /** Sends the first half of the real answer and resets the connection. */
  | { readonly type: 'reset' }
  /** Passes the request on, tells when the server has answered, and ends without an answer of its own. */
  | { readonly type: 'withhold'; readonly answered: () => void }
  /** Rewrites the body of the real answer. */
  | { readonly type: 'rewrite'; readonly rewrite: (body: string) => string }
  /** Passes the real answer on as it comes, with lines lost, doubled or swapped: events of a watch. */
  | { readonly type: 'disturb'; readonly decide: (line: string) => LineFate };

/** The proxy answers by itself; the server behind sees nothing. */
export interface AnswerFault {
  readonly type: 'answer';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Decides about every request while it is in force. */
export type FaultPlan = (request: ProxiedRequest) => HttpFault | undefined;

/** An answer in the form of the API server. */
export function statusAnswer(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): AnswerFault {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message: reason };
  return {
    type: 'answer',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** What a captive portal or a login page of a load balancer sends. */
export const htmlPage: AnswerFault = {
  type: 'answer',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body>Please sign in</body></html>',
};

/** Hides an API group for a time after each write of one of its CRDs, as a server that is slow to serve a new kind. */
export function hideGroupAfterCrd(group: string, hiddenMs: number): FaultPlan {
  let hiddenUntil = -Infinity;
  return ({ method, path }) => {
    const now = performance.now();
    if (method === 'PATCH' && path.includes('/customresourcedefinitions/') && path.endsWith(`.${group}`)) {
      hiddenUntil = now + hiddenMs;
    }
    if (now >= hiddenUntil) return undefined;
    if (path === '/apis') return { type: 'rewrite', rewrite: (body) => withoutGroup(body, group) };
    if (!path.startsWith(`/apis/${group}/`)) return undefined;
    return {
      type: 'answer',
      status: 404,
      headers: { 'content-type': 'text/plain' },
      body: '404 page not found\n',
    };
  };
}

function withoutGroup(body: string, group: string): string {
  const document = JSON.parse(body) as { items?: { metadata?: { name?: string } }[] };
  const items = (document.items ?? []).filter((item) => item.metadata?.name !== group);
  return JSON.stringify({ ...document, items });
}
