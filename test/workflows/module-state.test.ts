import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

const checkout = resolve(import.meta.dirname, '../..');
/** Whose code runs inside workflows; lint keeps them from importing anything else. */
const folders = ['workflows', 'domain/status', 'domain/lifecycle'];

const variable = /^(export )?(let|var)\b.*/gm;
const changeable = /^(export )?const \w+(: (?!Readonly)[^=\n]+)? = new .*/gm;

function stateIn(text: string): readonly string[] {
  return [...text.matchAll(variable), ...text.matchAll(changeable)].map(([line]) => line);
}

async function modules(): Promise<readonly string[]> {
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(join(checkout, folder))).map((name) => join(folder, name))),
  );
  return [...names.flat(), 'domain/errors.ts'].filter((name) => name.endsWith('.ts'));
}

describe('modules that run inside workflows', () => {
  test('keep nothing between two calls, since all workflows of a worker share them', async () => {
    const paths = await modules();
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      expect(stateIn(await readFile(join(checkout, path), 'utf8')), path).toEqual([]);
    }
  });

  test.each([
    'let last = 0;',
    'export const seen = new Map<string, number>();',
    'const s: Set<string> = new Set();',
  ])('would be found with %s', (line) => {
    expect(stateIn(`import x from 'y';\n${line}\n`)).toEqual([line]);
  });
});
