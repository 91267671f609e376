import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createParsedCache } from '../../../adapters/releases/parsed-cache.ts';
import { releaseDirectory } from '../../../adapters/releases/release-directory.ts';

const manifest = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

describe('releaseDirectory', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'releases-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const open = () => releaseDirectory(root, createParsedCache(undefined));
  async function write(path: string, text: string): Promise<void> {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  }

  test('lists versions and plug-ins by directory, and nothing where there is no directory', async () => {
    await write('knative-serving/1.22.1/1-a.yaml', manifest('a'));
    await write('knative-serving/README.md', 'no version');
    await write('ingress/1.22/kourier/kourier.yaml', manifest('k'));
    await write('ingress/1.22/istio/net-istio.yaml', manifest('i'));
    const { ingress, ...index } = await open().index();
    expect(index).toEqual({ serving: ['1.22.1'], eventing: [], sources: {}, guard: [] });
    expect(ingress['1.22']?.toSorted()).toEqual(['istio', 'kourier']);
  });

  test('reads the files of a bundle in the order of their names', async () => {
    await write('knative-serving/1.22.1/2-b.yaml', manifest('b'));
    await write('knative-serving/1.22.1/1-a.yaml', `${manifest('a1')}---\n${manifest('a2')}`);
    await write('knative-serving/1.22.1/nested/c.yaml', manifest('c'));
    const objects = await open().load({ component: 'knative-serving', version: '1.22.1' });
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a1', 'a2', 'b']);
  });

  test('names the directory of a bundle that is not there', async () => {
    const loading = open().load({ component: 'ingress', minor: '1.22', plugin: 'kourier' });
    await expect(loading).rejects.toMatchObject({ kind: 'ReleaseUnavailable' });
    await expect(loading).rejects.toThrow(join(root, 'ingress/1.22/kourier'));
  });

  test('names the file that was cut off when it was copied', async () => {
    await write('knative-eventing/1.22.1/1-a.yaml', '');
    const loading = open().load({ component: 'knative-eventing', version: '1.22.1' });
    await expect(loading).rejects.toMatchObject({ kind: 'ManifestInvalid' });
    await expect(loading).rejects.toThrow(`${join(root, 'knative-eventing/1.22.1/1-a.yaml')} is empty`);
  });
});
