import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { generateFiles } from '../../scripts/generate.ts';

const root = resolve(import.meta.dirname, '../..');
const files = await generateFiles();

describe('generators', () => {
  test.each(files)(
    '$path is committed as the declarations say; run npm run generate',
    async ({ path, text }) => {
      expect(await readFile(resolve(root, path), 'utf8')).toBe(text);
    },
  );
});
