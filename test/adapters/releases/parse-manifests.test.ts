import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { parseManifests } from '../../../adapters/releases/parse-manifests.ts';
import { isOperatorError } from '../../../domain/errors.ts';
import { hasSharedMaterial, sharedReleases } from '../../support/shared-material.ts';

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

/** What the text after `value:` is read as. */
function read(text: string): unknown {
  return parseManifests(`${head}value: ${text}\n`, 'test.yaml')[0]?.['value'];
}

function refusal(text: string): string {
  try {
    parseManifests(text, 'test.yaml');
  } catch (error) {
    if (isOperatorError(error, 'ManifestInvalid')) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('parseManifests', () => {
  test.each([
    ['yes', true],
    ['on', true],
    ['y', true],
    ['n', false],
    ['off', false],
    ['"yes"', 'yes'],
    ['0644', 420],
    ['0o644', 420],
    ['0x1F', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['1e3', 1000],
    ['1.5', 1.5],
    ['12:30', '12:30'],
    ['1:30:15.5', '1:30:15.5'],
    ['2001-12-14', '2001-12-14'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['!!binary aGVsbG8=', 'hello'],
    ['!!str 12', '12'],
    ['9007199254740991', 9007199254740991],
    ['~', null],
    ['', null],
    ['{1: a, y: b}', { '1': 'a', true: 'b' }],
    ['[&x {k: 1}, *x]', [{ k: 1 }, { k: 1 }]],
    ['|\n  12:30\n  yes', '12:30\nyes\n'],
  ])('reads %s as kubectl does', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test.each([
    ['a bare merge key', 'base: &b {x: 1, z: 1}\nmerged: {<<: *b, z: 2}', { x: 1, z: 2 }],
    ['an explicit merge tag', 'base: &b {x: 1}\nmerged:\n  !!merge <<: *b\n  z: 2', { x: 1, z: 2 }],
    ['several merges', 'a: &a {x: 1}\nb: &b {x: 2, z: 2}\nmerged: {<<: [*a, *b]}', { x: 1, z: 2 }],
    ['the newest of two equal anchors', 'a: &a {x: 1}\nb: &a {x: 2}\nmerged: *a', { x: 2 }],
  ])('follows %s', (_what, text, merged) => {
    expect(parseManifests(head + text, 'test.yaml')[0]?.['merged']).toEqual(merged);
  });

  test('keeps each alias an object of its own', () => {
    const [object] = parseManifests(`${head}a: &a {x: 1}\nb: *a\n`, 'test.yaml');
    expect(object?.['a']).not.toBe(object?.['b']);
  });

  test('skips documents without content', () => {
    expect(parseManifests(`# licence\n---\n${head}---\n\n# the end\n---\n`, 'test.yaml')).toHaveLength(1);
  });

  test('reads a byte order mark, Windows line ends and JSON', () => {
    expect(parseManifests(`\uFEFF${head.replaceAll('\n', '\r\n')}`, 'a')[0]?.kind).toBe('ConfigMap');
    const json = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'a-' } }, null, 2);
    expect(parseManifests(json, 'a.json')).toEqual([JSON.parse(json)]);
  });

  test('takes lists of any kind apart, in lists as well', () => {
    const item = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const inner = { apiVersion: 'v1', kind: 'ConfigMapList', items: [item('b'), item('c')] };
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item('a'), inner] });
    expect(parseManifests(list, 'a').map((object) => object.metadata.name)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['a duplicate key', `${head}---\n${head}a: 1\na: 2\n`, 'document 2, line 9: Map keys must be unique'],
    ['a duplicate key in JSON', '{"kind":"A","kind":"B"}', 'document 1, line 1: Map keys must be unique'],
    ['broken YAML', `${head}a: [1, 2`, 'line 4: Flow sequence'],
    ['a tab as indentation', `${head}a:\n\tb: 1\n`, 'line 5: '],
    ['a number that is not finite', `${head}a: .inf\n`, 'line 4: the number .inf is not finite'],
    ['a number too large for a float', `${head}a: 1e999\n`, 'line 4: the number 1e999 is not finite'],
    [
      'a number that would be rounded',
      `${head}a: 9007199254740993\n`,
      'line 4: the number 9007199254740993 is too large',
    ],
    ['a null key', `${head}~: 1\n`, 'line 4: a key is null'],
    ['a list as a key', `${head}? [a]\n: 1\n`, 'line 4: a map or list cannot be a key'],
    ['an alias of itself', `${head}a: &a\n  b: *a\n`, 'line 5: the alias *a is inside of what it stands for'],
    ['an alias without anchor', `${head}a: *b\n`, 'line 4: the alias *b has no anchor'],
    ['a text', 'just text\n', 'line 1: this is no Kubernetes object but the text "just text"'],
    ['a list', '- a\n', 'this is no Kubernetes object but a list'],
    ['an object without apiVersion', 'kind: Pod\nmetadata: {name: a}', 'has no apiVersion'],
    ['an object without kind', 'apiVersion: v1\nmetadata: {name: a}', 'has no kind'],
    [
      'an object without a name',
      `${head}---\napiVersion: v1\nkind: Pod\n`,
      'document 2, line 5: the Pod has neither',
    ],
    ['a number for a name', 'apiVersion: v1\nkind: Pod\nmetadata: {name: 12}', 'as text'],
    [
      'a broken list item',
      '{"kind":"List","items":[{"kind":"A"}]}',
      'item 1 of the list: the object has no apiVersion',
    ],
    ['an empty file', ' \n', 'test.yaml is empty'],
    ['a web page', '\n<!DOCTYPE html><html></html>', 'test.yaml is a web page'],
  ])('refuses %s and says where', (_what, text, message) => {
    const found = refusal(text);
    expect(found).toContain(message);
    expect(found).toMatch(/^test\.yaml/);
  });

  test('refuses aliases that multiply', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const items = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*l${level - 1}`));
      return `l${level}: &l${level} [${items.join(', ')}]`;
    });
    expect(refusal(head + levels.join('\n'))).toContain('alias');
  });
});

describe.skipIf(!hasSharedMaterial)('parseManifests, on the releases beside the checkout', () => {
  test('reads every file', () => {
    const files = readdirSync(sharedReleases, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => join(sharedReleases, file));
    const objects = files.flatMap((file) => parseManifests(readFileSync(file, 'utf8'), file));
    expect([files.length, objects.length]).toEqual([190, 3823]);
    expect(new Set(objects.map((object) => object.kind)).size).toBe(22);
  });
});
