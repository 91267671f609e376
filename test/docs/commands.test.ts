import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { codeBlocks, foreignShellBlocks, shellBlocks } from '../support/code-blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docs');
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8');
const guides = readFileSync(join(root, 'test/docs/guides.server.test.ts'), 'utf8');
/** Written by programs: the examples of the commands are parsed by their own test, the benchmark writes what it was run by. */
const generated = /^(cli-reference|benchmarks.*)\.md$/;

describe.each(pages)('the page %s', (page) => {
  const text = textOf(page);
  const blocks = codeBlocks(text).filter(({ language }) => language === 'sh');

  test('has commands that a test runs, or that say what they need', () => {
    if (generated.test(page) || shellBlocks(text).length === 0) return;
    expect(guides).toContain(`follow('${page}'`);
  });

  test('has commands with the syntax of a shell', () => {
    for (const block of blocks) {
      const { stderr } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' });
      expect(stderr).toBe('');
    }
    expect(shellBlocks(text).length + foreignShellBlocks(text).length).toBeLessThanOrEqual(blocks.length);
  });

  test('leads only to files and headings that are there', () => {
    expect(deadLinks(text, join(folder, page))).toEqual([]);
  });
});

test('README or another page leads to every page, and README to nothing that is not there', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const links = [readme, ...pages.map(textOf)].join('\n');
  const lost = pages.filter((page) => !links.includes(`${page})`) && !links.includes(`${page}#`));
  expect(lost.filter((page) => !page.startsWith('decisions/'))).toEqual([]);
  expect(deadLinks(readme, join(root, 'README.md'))).toEqual([]);
});

function deadLinks(text: string, page: string): readonly string[] {
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  return links.flatMap(([link, path = '', heading]) => {
    const target = path === '' ? page : join(dirname(page), path);
    const isThere = existsSync(target) && (heading === undefined || anchorsOf(target).includes(heading));
    return isThere ? [] : [link];
  });
}

function anchorsOf(path: string): readonly string[] {
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
