import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, test, vi } from 'vitest';

import { findBinaries } from '../../dev/binaries/find-binaries.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-binaries-'));
  vi.stubEnv('KUBEBUILDER_ASSETS', folder);
  vi.stubEnv('KNATIVE_FLEET_CACHE', join(folder, 'cache'));
  vi.stubEnv('PATH', folder);
  return async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  };
});

describe('findBinaries', () => {
  test('takes what the folder named by the user holds', async () => {
    await writeFile(join(folder, 'etcd'), '', { mode: 0o755 });
    expect(await findBinaries(['etcd'])).toEqual({ etcd: join(folder, 'etcd') });
  });

  test('says which Go is needed and what to do when one is missing from the folder and there is no Go', async () => {
    await writeFile(join(folder, 'etcd'), '', { mode: 0o755 });
    await expect(findBinaries(['etcd', 'kwok'])).rejects.toThrow(
      /Go 1\.26 or newer is needed.*found none on PATH.*KUBEBUILDER_ASSETS/,
    );
  });

  test('names the Go it found when that is too old', async () => {
    await writeFile(join(folder, 'go'), '#!/bin/sh\necho go1.9.7\n', { mode: 0o755 });
    await expect(findBinaries(['kwok'])).rejects.toThrow(/Go 1\.26 or newer is needed.*found go1\.9/);
  });
});
