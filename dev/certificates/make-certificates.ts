import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Certificates {
  readonly authority: string;
  readonly server: KeyPair;
  /** The same names, valid until yesterday. */
  readonly expired: KeyPair;
  /** Signed by the same authority, `CN=worker`. */
  readonly client: KeyPair;
}

/** An authority of its own with one server and one client certificate, made by `openssl`. */
export async function makeCertificates(serverNames: readonly string[]): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  try {
    await openssl(folder, [
      ...newKey('ca'),
      '-x509',
      '-days',
      '3',
      '-subj',
      '/CN=authority',
      '-out',
      'ca.pem',
    ]);
    const names = `subjectAltName=${serverNames.join(',')}`;
    const server = await signed(folder, 'server', { extension: names });
    const expired = await signed(folder, 'expired', { extension: names, days: -1 });
    const client = await signed(folder, 'worker', { extension: 'extendedKeyUsage=clientAuth' });
    return { authority: await readFile(join(folder, 'ca.pem'), 'utf8'), server, expired, client };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function signed(
  folder: string,
  name: string,
  { extension, days = 3 }: { readonly extension: string; readonly days?: number },
): Promise<KeyPair> {
  await openssl(folder, [...newKey(name), '-subj', `/CN=${name}`, '-out', `${name}.csr`]);
  await writeFile(join(folder, `${name}.ext`), extension);
  const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', String(days)];
  const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.pem`];
  await openssl(folder, ['x509', '-req', ...authority, ...files]);
  const [certificate, key] = await Promise.all([
    readFile(join(folder, `${name}.pem`), 'utf8'),
    readFile(join(folder, `${name}.key`), 'utf8'),
  ]);
  return { certificate, key };
}

function newKey(name: string): readonly string[] {
  return [
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ];
}

async function openssl(folder: string, args: readonly string[]): Promise<void> {
  await run('openssl', args, { cwd: folder });
}
