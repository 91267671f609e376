import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createParsedCache } from '../../../adapters/releases/parsed-cache.ts';
import { createUserManifests } from '../../../adapters/releases/user-manifests.ts';
import { isOperatorError } from '../../../domain/errors.ts';
import type { FileServer } from '../../support/file-server.ts';
import { startFileServer } from '../../support/file-server.ts';

const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

function load(urls: readonly string[], allowedPrefixes: readonly string[]) {
  return createUserManifests({ allowedPrefixes }, createParsedCache(undefined)).load(urls);
}

async function refusal(url: string, allowed: readonly string[]): Promise<string> {
  const found: unknown = await load([url], allowed).catch((error: unknown) => error);
  if (!isOperatorError(found)) throw new Error(`not refused: ${String(found)}`);
  return `${found.kind}: ${found.message}`;
}

describe('createUserManifests', () => {
  let server: FileServer;
  let folder: string;
  beforeAll(async () => {
    server = await startFileServer();
    folder = await mkdtemp(join(tmpdir(), 'manifests-'));
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  test('loads all URLs in their order, anew each time', async () => {
    server.files.set('/m/a.yaml', object('a'));
    server.files.set('/m/b.yaml', `${object('b')}---\n${object('c')}`);
    const urls = [`${server.address}/m/b.yaml`, `${server.address}/m/a.yaml`];
    const manifests = createUserManifests(
      { allowedPrefixes: [`${server.address}/m/`] },
      createParsedCache(undefined),
    );
    const names = async () => (await manifests.load(urls)).map(({ metadata }) => metadata.name);
    expect(await names()).toEqual(['b', 'c', 'a']);
    server.files.set('/m/a.yaml', object('new'));
    expect(await names()).toEqual(['b', 'c', 'new']);
  });

  test.each([
    [
      'https://a.test/m/x.yaml',
      ['https://b.test/'],
      'not under an allowed prefix (https://b.test/); ask an administrator',
    ],
    ['https://a.test/m/x.yaml', [], 'not under an allowed prefix (none is configured)'],
    ['https://a.test/more/x.yaml', ['https://a.test/m'], 'not under an allowed prefix'],
    ['https://a.test/m/../x.yaml', ['https://a.test/m/'], 'not under an allowed prefix'],
    ['https://a.test.evil/m/x.yaml', ['https://a.test'], 'not under an allowed prefix'],
    ['https://a.test/m/%2e%2e/x.yaml', ['https://a.test/m/'], 'not under an allowed prefix'],
    ['https://a.test/m/..%2fx.yaml', ['https://a.test/m/'], 'must be https'],
    ['https://user:pw@a.test/m/x.yaml', ['https://a.test/m/'], 'must be https and hold no user'],
    ['http://a.test/m/x.yaml', ['http://a.test/m/'], 'must be https'],
    ['ftp://a.test/m/x.yaml', ['ftp://a.test/m/'], 'must be https'],
    ['file:///etc/passwd', ['https://a.test/'], 'not under an allowed prefix'],
    ['/etc/passwd', ['https://a.test/', 'file:///'], 'is no URL; local paths cannot be used'],
    ['../x.yaml', ['file:///'], 'is no URL'],
  ])('refuses %s under %j', async (url, allowed, message) => {
    expect(await refusal(url, allowed)).toMatch(/^SpecInvalid: manifest URL/);
    expect(await refusal(url, allowed)).toContain(message);
  });

  test('dials nothing that is not allowed', async () => {
    const before = server.requested.length;
    await refusal(`${server.address}/m/a.yaml`, ['https://a.test/']);
    expect(server.requested).toHaveLength(before);
  });

  test('follows a redirect only to what is allowed as well', async () => {
    server.files.set('/m/moved.yaml', (_request, response) => {
      response.writeHead(302, { location: '/kept/x.yaml' }).end();
    });
    server.files.set('/kept/x.yaml', object('kept'));
    const url = `${server.address}/m/moved.yaml`;
    const narrow = [`${server.address}/m/`];
    expect(await refusal(url, narrow)).toMatch(
      /^ReleaseUnavailable: .*\/kept\/x.yaml, which is not allowed; ask/,
    );
    const found = await load([url], [...narrow, `${server.address}/kept/`]);
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['kept']);
  });

  test('names the URL of what is no manifest or holds no object', async () => {
    server.files.set('/m/broken.yaml', 'a: [');
    server.files.set('/m/nothing.yaml', '# nothing\n');
    const allowed = [`${server.address}/m/`];
    const broken = `${server.address}/m/broken.yaml`;
    expect(await refusal(broken, allowed)).toContain(`ManifestInvalid: ${broken}, document 1, line 1`);
    expect(await refusal(`${server.address}/m/nothing.yaml`, allowed)).toContain(
      'no Kubernetes object in it',
    );
  });

  test('reads files only below an allowed folder, links included', async () => {
    await mkdir(join(folder, 'in'));
    await writeFile(join(folder, 'in/a.yaml'), object('local'));
    await writeFile(join(folder, 'out.yaml'), object('out'));
    await symlink(join(folder, 'out.yaml'), join(folder, 'in/link.yaml'));
    const allowed = [`file://${folder}/in/`];
    const found = await load([`file://${folder}/in/a.yaml`], allowed);
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['local']);
    expect(await refusal(`file://${folder}/in/link.yaml`, allowed)).toContain('not under an allowed prefix');
    expect(await refusal(`file://${folder}/in/none.yaml`, allowed)).toContain('ReleaseUnavailable');
  });
});
