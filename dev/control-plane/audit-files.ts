import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What an API server needs to record requests. */
export interface AuditFiles {
  readonly policy: string;
  readonly log: string;
}

/**
 * Writes a policy that records the requests of some users, their writes with bodies, and what controllers say about
 * Deployments; undefined, and no record, without users.
 */
export async function writeAuditFiles(
  folder: string,
  users: readonly string[],
): Promise<AuditFiles | undefined> {
  if (users.length === 0) return undefined;
  const files = { policy: join(folder, 'audit-policy.json'), log: join(folder, 'audit.log') };
  await writeFile(files.policy, JSON.stringify(auditPolicy(users)));
  return files;
}

// A watch has an event when it starts and one when it ends; both carry the same audit ID.
function auditPolicy(users: readonly string[]): object {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    omitManagedFields: true,
    rules: [
      { level: 'RequestResponse', verbs: ['create', 'update', 'patch', 'delete'], users },
      {
        level: 'RequestResponse',
        verbs: ['update', 'patch'],
        resources: [{ group: 'apps', resources: ['deployments/status'] }],
      },
      { level: 'Metadata', users },
      { level: 'None' },
    ],
  };
}
