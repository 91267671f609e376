import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createParsedCache } from '../../../adapters/releases/parsed-cache.ts';
import { assetIndex, assetsOf } from '../../../adapters/releases/release-assets.ts';
import { releaseDownload } from '../../../adapters/releases/release-download.ts';
import type { BundleRef } from '../../../domain/manifests/releases.ts';
import { bundlePath } from '../../../domain/manifests/releases.ts';
import { hasSharedMaterial, sharedIndex, sharedReleases } from '../../support/shared-material.ts';
import type { FileServer } from '../../support/file-server.ts';
import { startFileServer } from '../../support/file-server.ts';

const serving: BundleRef = { component: 'knative-serving', version: '1.22.1' };
const paths = assetsOf(serving).map(({ path }) => `/${path}`);
const manifest = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

const bundles: readonly BundleRef[] = [
  ...assetIndex.serving.map((version) => ({ component: 'knative-serving', version }) as const),
  ...assetIndex.eventing.map((version) => ({ component: 'knative-eventing', version }) as const),
  ...pluginBundles('ingress', assetIndex.ingress),
  ...pluginBundles('eventing-source', assetIndex.sources),
  ...assetIndex.guard.map((version) => ({ component: 'security-guard', version }) as const),
];

function pluginBundles(
  component: 'ingress' | 'eventing-source',
  byMinor: Readonly<Record<string, readonly string[]>>,
): readonly BundleRef[] {
  return Object.entries(byMinor).flatMap(([minor, plugins]) =>
    plugins.map((plugin) => ({ component, minor, plugin })),
  );
}

describe('releaseDownload', () => {
  let server: FileServer;
  let folder: string;
  beforeEach(async () => {
    server = await startFileServer();
    folder = await mkdtemp(join(tmpdir(), 'download-'));
    paths.forEach((path, index) => server.files.set(path, manifest(`file-${String(index)}`)));
  });
  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const open = () => releaseDownload({ folder, publisher: server.address }, createParsedCache(undefined));
  const names = async (source = open()) => (await source.load(serving)).map(({ metadata }) => metadata.name);
  const all = ['file-0', 'file-1', 'file-2', 'file-3'];

  test('downloads a bundle once, for calls at once and for later processes', async () => {
    const source = open();
    expect(await Promise.all([names(source), names(source)])).toEqual([all, all]);
    expect(await names()).toEqual(all);
    expect(server.requested.toSorted()).toEqual(paths.toSorted());
  });

  test('keeps files in the layout of a release directory', async () => {
    await names();
    expect(await readdir(join(open().root, bundlePath(serving)))).toEqual([
      '1-serving-crds.yaml',
      '2-serving-core.yaml',
      '3-serving-hpa.yaml',
      '4-serving-post-install-jobs.yaml',
    ]);
  });

  test('keeps nothing when one file is missing or is a part of one', async () => {
    const [first = '', last = ''] = [paths[0], paths.at(-1)];
    server.files.delete(last);
    await expect(names()).rejects.toThrow('answered 404');
    server.files.set(last, `${manifest('a')}data: {"a`);
    await expect(names()).rejects.toThrow(`${server.address}${last}, document 1`);
    server.files.set(last, manifest('file-3'));
    expect(await names()).toEqual(all);
    expect(server.requested.filter((path) => path === first)).toHaveLength(3);
  });

  test('refuses a bundle whose files were changed or taken away after the download', async () => {
    await names();
    const file = join(open().root, bundlePath(serving), '2-serving-core.yaml');
    await writeFile(file, manifest('changed'));
    await expect(names()).rejects.toMatchObject({ kind: 'ManifestInvalid' });
    await expect(names()).rejects.toThrow('2-serving-core.yaml in');
    await rm(file);
    await expect(names()).rejects.toThrow('its checksum is none and was sha256:');
  });

  test('refuses a release that was published anew with other content', async () => {
    await names();
    await rm(open().root, { recursive: true });
    server.files.set(paths[1] ?? '', manifest('other'));
    await expect(names()).rejects.toThrow('2-serving-core.yaml was published anew with other content');
    server.files.set(paths[1] ?? '', manifest('file-1'));
    expect(await names()).toEqual(all);
  });

  test('follows no redirect away from the publisher', async () => {
    server.files.set(paths[0] ?? '', (_request, response) => {
      response.writeHead(302, { location: `${server.address}/elsewhere` }).end();
    });
    await expect(names()).rejects.toThrow('use a release directory instead');
  });

  test('says that a version is not among the known ones', async () => {
    await expect(open().load({ component: 'knative-serving', version: '9.9.9' })).rejects.toMatchObject({
      kind: 'ReleaseUnavailable',
      message: 'knative-serving/9.9.9 is not among the releases that can be downloaded',
    });
  });
});

describe('assetsOf', () => {
  test('knows files for every bundle of the index, all with addresses of their own', () => {
    expect(bundles.filter((bundle) => assetsOf(bundle).length === 0)).toEqual([]);
    const addresses = bundles.flatMap((bundle) => assetsOf(bundle).map(({ path }) => path));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test.each([
    [serving, 'knative/serving/releases/download/knative-v1.22.1/serving-crds.yaml'],
    [
      { component: 'ingress', minor: '1.22', plugin: 'kourier' } as const,
      'knative-extensions/net-kourier/releases/download/knative-v1.22.1/kourier.yaml',
    ],
    [
      { component: 'security-guard', version: '0.6' } as const,
      'knative-extensions/security-guard/releases/download/v0.6.0/gate-account.yaml',
    ],
  ])('addresses %o as it is published', (bundle, path) => {
    expect(assetsOf(bundle)[0]?.path).toBe(path);
  });
});

describe.skipIf(!hasSharedMaterial)('assetIndex, compared with the releases beside the checkout', () => {
  test('has every bundle but old security guards, with the same file names', async () => {
    const shared = sharedIndex();
    const sorted = (index: typeof shared) =>
      JSON.parse(JSON.stringify(index), (_key, value: unknown) =>
        Array.isArray(value) ? value.map(String).toSorted() : value,
      ) as unknown;
    expect(sorted({ ...assetIndex, guard: [] })).toEqual(sorted({ ...shared, guard: [] }));
    for (const bundle of bundles) {
      const files = await readdir(join(sharedReleases, bundlePath(bundle)));
      expect(
        assetsOf(bundle)
          .map(({ file }) => file)
          .toSorted(),
      ).toEqual(files.toSorted());
    }
  });
});
