import { readFile } from 'node:fs/promises';

import type { TcpProxy } from '../dev/fault-proxy/start-tcp-proxy.ts';
import type { Traffic } from './measurement.ts';

/** One line of an audit log, as far as it is read here. */
interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
}

/** Counts what one user sends to a spoke, from outside that user: in the audit log and in the proxy between both. */
export interface TrafficMeter {
  /** Requests that the spoke received since the start of the meter until that moment, default now. */
  read(untilMs?: number): Promise<Traffic>;
  /** Seconds from the first delete of a namespace until the last look at it; 0 when it was not deleted. */
  namespaceSeconds(namespace: string): Promise<number>;
}

export async function startMeter(
  auditLog: string,
  user: string,
  proxy: Pick<TcpProxy, 'bytesToTarget' | 'bytesToClient'>,
): Promise<TrafficMeter> {
  const start = (await readFile(auditLog)).length;
  const { bytesToTarget, bytesToClient } = proxy;
  const events = async (): Promise<readonly AuditEvent[]> => eventsOf(await readFile(auditLog), start, user);
  return {
    async read(untilMs = Infinity) {
      const recorded = (await events()).filter(
        ({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp) <= untilMs,
      );
      return {
        requests: countByVerb(recorded),
        created: recorded.filter((event) => event.responseStatus?.code === 201).length,
        bytesSent: proxy.bytesToTarget - bytesToTarget,
        bytesReceived: proxy.bytesToClient - bytesToClient,
      };
    },
    async namespaceSeconds(namespace) {
      const looks = (await events()).filter(
        ({ objectRef }) => objectRef?.resource === 'namespaces' && objectRef.name === namespace,
      );
      const deleted = looks.find((event) => event.verb === 'delete');
      const last = looks.findLast((event) => event.verb === 'get');
      if (deleted === undefined || last === undefined) return 0;
      const ms = Date.parse(last.stageTimestamp) - Date.parse(deleted.requestReceivedTimestamp);
      return Math.max(ms, 0) / 1000;
    },
  };
}

/** Of one user, each request once, in the order of their first line. */
function eventsOf(log: Buffer, start: number, user: string): readonly AuditEvent[] {
  const lines = log.subarray(start).toString('utf8').split('\n').slice(0, -1);
  const events = new Map<string, AuditEvent>();
  for (const line of lines) {
    const event = JSON.parse(line) as AuditEvent;
    if (event.user.username === user && !events.has(event.auditID)) events.set(event.auditID, event);
  }
  return [...events.values()];
}

function countByVerb(events: readonly AuditEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verb, objectRef } of events) {
    const name = objectRef?.resource === undefined ? 'discovery' : verb;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
