import type { Cluster } from '../../dev/control-plane/cluster.ts';
import type { AuditEvent } from './audit-events.ts';
import { auditEvents } from './audit-events.ts';

/** What the audited users of a cluster asked for and were refused: user, verb and resource, each once. */
export async function refusedRequests(cluster: Cluster): Promise<readonly string[]> {
  const events = await auditEvents(cluster);
  const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
  return [...new Set(refused.map(describe))].toSorted();
}

function describe({ verb, requestURI, user, objectRef }: AuditEvent): string {
  const account = user.username.split(':').at(-1) ?? '';
  if (objectRef === undefined) return `${account}: ${verb} ${requestURI.split('?')[0] ?? ''}`;
  const { apiGroup = '', resource, subresource = '' } = objectRef;
  const suffix = `${apiGroup === '' ? '' : `.${apiGroup}`}${subresource === '' ? '' : `/${subresource}`}`;
  return `${account}: ${verb} ${resource}${suffix}`;
}
