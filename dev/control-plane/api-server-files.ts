import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClusterUser } from './cluster.ts';

/** What an API server reads at each start; made once for its life. */
export interface ApiServerFiles {
  /** The administrator's. */
  readonly token: string;
  readonly tokens: string;
  readonly serviceAccountKey: string;
  /** The server puts its self-signed certificate here; it contains the authority too. */
  readonly certificates: string;
  readonly caFile: string;
}

export async function writeApiServerFiles(
  folder: string,
  users: readonly ClusterUser[],
): Promise<ApiServerFiles> {
  const certificates = join(folder, 'certificates');
  await mkdir(certificates, { recursive: true, mode: 0o700 });
  const token = randomUUID();
  const tokens = join(folder, 'tokens.csv');
  const lines = [{ token, user: 'admin', groups: ['system:masters'] }, ...users].map(tokenLine);
  await writeFile(tokens, lines.join(''), { mode: 0o600 });
  const serviceAccountKey = join(folder, 'service-accounts.key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  return { token, tokens, serviceAccountKey, certificates, caFile: join(certificates, 'apiserver.crt') };
}

function tokenLine({ token, user, groups }: ClusterUser): string {
  return `${token},${user},${user},"${groups.join(',')}"\n`;
}
