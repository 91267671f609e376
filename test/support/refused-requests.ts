import { readFile } from 'node:fs/promises';

import type { Cluster } from '../../dev/control-plane/cluster.ts';

/** What the audited users of a cluster asked for and were refused: user, verb and resource, each once. */
export async function refusedRequests(cluster: Cluster): Promise<readonly string[]> {
  const events = await auditEvents(cluster);
  const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
  return [...new Set(refused.map(describe))].toSorted();
}

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code: number };
}

async function auditEvents(cluster: Cluster): Promise<readonly AuditEvent[]> {
  if (cluster.auditLog === undefined) throw new Error(`${cluster.name} records no requests`);
  const lines = (await readFile(cluster.auditLog, 'utf8')).trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditEvent);
}

function describe({ verb, requestURI, user, objectRef }: AuditEvent): string {
  const account = user.username.split(':').at(-1) ?? '';
  if (objectRef === undefined) return `${account}: ${verb} ${requestURI.split('?')[0] ?? ''}`;
  const { apiGroup = '', resource, subresource = '' } = objectRef;
  const suffix = `${apiGroup === '' ? '' : `.${apiGroup}`}${subresource === '' ? '' : `/${subresource}`}`;
  return `${account}: ${verb} ${resource}${suffix}`;
}
