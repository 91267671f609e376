import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

import { buildBinary } from './build-binary.ts';
import type { BinaryName } from './tool-modules.ts';

/**
 * Paths of the binaries asked for: each from the folder that KUBEBUILDER_ASSETS names if it is there, else built once
 * from its pinned tool module into the cache. Several processes may ask at once. Progress goes to standard error.
 */
export async function findBinaries<Name extends BinaryName>(
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  const found: [Name, string][] = [];
  const missing: Name[] = [];
  for (const name of names) {
    const given = await assetPath(name);
    if (given === undefined) missing.push(name);
    else found.push([name, given]);
  }
  for (const name of missing) found.push([name, await buildBinary(name)]);
  return Object.fromEntries(found) as Record<Name, string>;
}

async function assetPath(name: BinaryName): Promise<string | undefined> {
  const folder = process.env['KUBEBUILDER_ASSETS'];
  if (!folder) return undefined;
  const path = join(folder, name);
  return access(path, constants.X_OK).then(
    () => path,
    () => undefined,
  );
}
