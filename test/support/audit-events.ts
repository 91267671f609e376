import { readFile } from 'node:fs/promises';

import type { Cluster } from '../../dev/control-plane/cluster.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';

/** One request that an API server has recorded; bodies only of writes. */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly requestObject?: JsonRecord;
  readonly responseObject?: JsonRecord;
}

/** Everything that the API server of a cluster has recorded so far, in the order in which it answered. */
export async function auditEvents(cluster: Cluster): Promise<readonly AuditEvent[]> {
  if (cluster.auditLog === undefined) throw new Error(`${cluster.name} records no requests`);
  const lines = (await readFile(cluster.auditLog, 'utf8')).split('\n');
  // The last line may be half written.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEvent);
}
