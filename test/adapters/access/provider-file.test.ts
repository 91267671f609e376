import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createProviderFile } from '../../../adapters/access/provider-file.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'provider-file-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const named = (name: string): string => JSON.stringify({ providers: [{ name }] });

describe('createProviderFile', () => {
  test.each([undefined, ''])('rejects with the published message when the flag is %j', async (path) => {
    await expect(createProviderFile({ path }).current()).rejects.toMatchObject({
      kind: 'MulticlusterDisabled',
      message: 'multi-cluster support is disabled: set --clusterprofile-provider-file to enable',
    });
  });

  test('names the file and the cause when there never was a valid one', async () => {
    const file = createProviderFile({ path: folder });
    await expect(file.current()).rejects.toMatchObject({
      kind: 'AccessProviderFailed',
      message: expect.stringContaining(
        `failed to load access provider config from "${folder}": EISDIR`,
      ) as string,
    });
  });

  test('says that access is off while the configured file does not exist yet, and takes it when it appears', async () => {
    const path = join(folder, 'later.json');
    const told: string[] = [];
    const tell = (what: string): void => void told.push(what);
    const file = createProviderFile({ path, onReload: () => tell('in force'), onProblem: tell });
    const off = {
      kind: 'MulticlusterDisabled',
      message: `multi-cluster support is disabled: "${path}", which --clusterprofile-provider-file names, does not exist; create it to enable`,
    };
    await expect(file.current()).rejects.toMatchObject(off);
    await expect(file.current()).rejects.toMatchObject(off);
    await writeFile(path, '{"providers":[{"name":""}]}');
    await expect(file.current()).rejects.toMatchObject({ kind: 'AccessProviderFailed' });
    await writeFile(path, named('later'));
    expect((await file.current()).providers[0]?.name).toBe('later');
    expect(told).toEqual([off.message, expect.stringContaining('providers[0].name'), 'in force']);
  });

  test('takes a rewritten file at the next call and tells about it', async () => {
    const path = join(folder, 'config.json');
    await writeFile(path, named('one'));
    const reloads: string[] = [];
    const file = createProviderFile({
      path,
      onReload: (config) => reloads.push(config.providers[0]?.name ?? ''),
    });
    expect((await file.current()).providers[0]?.name).toBe('one');
    await writeFile(path, named('two'));
    expect((await file.current()).providers[0]?.name).toBe('two');
    expect((await file.current()).providers[0]?.name).toBe('two');
    expect(reloads).toEqual(['two']);
  });

  test('follows the symbolic links of a mounted ConfigMap when they are swapped', async () => {
    for (const version of ['v1', 'v2']) {
      await mkdir(join(folder, version));
      await writeFile(join(folder, version, 'config.json'), named(version));
    }
    await symlink('v1', join(folder, '..data'));
    await symlink(join('..data', 'config.json'), join(folder, 'config.json'));
    const file = createProviderFile({ path: join(folder, 'config.json') });
    expect((await file.current()).providers[0]?.name).toBe('v1');
    await symlink('v2', join(folder, '..next'));
    await rename(join(folder, '..next'), join(folder, '..data'));
    expect((await file.current()).providers[0]?.name).toBe('v2');
  });

  test('keeps the last good content while the file is invalid or gone, reports each once, and recovers', async () => {
    const path = join(folder, 'config.json');
    await writeFile(path, named('good'));
    const problems: string[] = [];
    const file = createProviderFile({ path, onProblem: (message) => problems.push(message) });
    await file.current();
    await writeFile(path, '{"providers":[{"name":""}]}');
    expect((await file.current()).providers[0]?.name).toBe('good');
    await file.current();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('providers[0].name');
    await rm(path);
    expect((await file.current()).providers[0]?.name).toBe('good');
    await file.current();
    expect(problems).toHaveLength(2);
    await writeFile(path, named('new'));
    expect((await file.current()).providers[0]?.name).toBe('new');
  });
});
