import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { componentApi, componentKinds } from '../../../domain/api/component-ref.ts';
import type { ComponentKind } from '../../../domain/api/component-ref.ts';
import type { JsonRecord } from '../../../domain/manifests/object.ts';
import { isRecord, listAt, recordAt } from '../../../domain/manifests/object.ts';
import { componentCrd } from '../../../scripts/crds/component-crd.ts';
import { fieldPaths } from '../../support/field-paths.ts';
import { incompatibilities, missingFrom } from '../../support/schema-compatibility.ts';

/** The Go operator's CRDs beside the checkout; the recorded list stands in for them elsewhere. */
const crdFolder = resolve(import.meta.dirname, '../../../../shared/crds');
const recordedList = resolve(import.meta.dirname, '../../golden/go-crd-paths.json');
const hasCrds = existsSync(crdFolder);

/** Looser on purpose: a source can be enabled alone, and so may a future security extension. */
const loosened: Readonly<Record<ComponentKind, readonly string[]>> = {
  KnativeServing: ['.spec.security'],
  KnativeEventing: ['.spec.source'],
};

const schemaOf = (crd: unknown) => recordAt(listAt(crd, 'spec', 'versions')[0], 'schema', 'openAPIV3Schema');

async function readGoFields(kind: ComponentKind): Promise<Map<string, JsonRecord>> {
  const file = resolve(crdFolder, `${componentApi.group}_${componentApi[kind].plural}.yaml`);
  return fieldPaths(schemaOf(parse(await readFile(file, 'utf8'))));
}

async function readRecordedFields(kind: ComponentKind): Promise<Map<string, JsonRecord>> {
  const recorded: unknown = JSON.parse(await readFile(recordedList, 'utf8'));
  return new Map(
    Object.entries(recordAt(recorded, kind)).filter((entry): entry is [string, JsonRecord] =>
      isRecord(entry[1]),
    ),
  );
}

describe.each(componentKinds)('componentCrd(%s)', (kind) => {
  const ours = fieldPaths(schemaOf(componentCrd(kind)));
  const read = hasCrds ? readGoFields : readRecordedFields;

  test('has every field of the Go operator with a compatible schema', async () => {
    const theirs = await read(kind);
    expect(theirs.size).toBeGreaterThan(400);
    const problems = [...theirs].flatMap(([path, schema]) =>
      incompatibilities(schema, ours.get(path)).map((problem) => `${path}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  test('requires the same children as the Go operator except where it is looser on purpose', async () => {
    const theirs = await read(kind);
    const looser = [...theirs].filter(
      ([path, schema]) => missingFrom(ours.get(path)?.['required'], schema['required']).length > 0,
    );
    expect(looser.map(([path]) => path)).toEqual(loosened[kind]);
  });

  test('keeps the enums of the Go operator', async () => {
    const theirs = await read(kind);
    const changed = [...theirs].filter(([path, schema]) => {
      return JSON.stringify(ours.get(path)?.['enum']) !== JSON.stringify(schema['enum']);
    });
    expect(changed).toEqual([]);
  });
});

describe('incompatibilities', () => {
  test.each([
    { what: 'a missing field', theirs: { type: 'string' }, ours: undefined, found: ['missing'] },
    { what: 'another type', theirs: { type: 'string' }, ours: { type: 'integer' }, found: ['type'] },
    { what: 'another format', theirs: { format: 'int32' }, ours: { format: 'int64' }, found: ['format'] },
    { what: 'a new requirement', theirs: {}, ours: { required: ['a'] }, found: ['requires a'] },
    { what: 'a dropped default', theirs: { default: '' }, ours: {}, found: ['default'] },
    { what: 'a narrower enum', theirs: { enum: ['a', 'b'] }, ours: { enum: ['a'] }, found: ['enum'] },
    { what: 'an enum where there was none', theirs: {}, ours: { enum: ['a'] }, found: ['enum'] },
    { what: 'a new upper bound', theirs: {}, ours: { maxLength: 3 }, found: ['maxLength'] },
    { what: 'a higher lower bound', theirs: { minLength: 1 }, ours: { minLength: 2 }, found: ['minLength'] },
  ])('finds $what', ({ theirs, ours, found }) => {
    expect(incompatibilities(theirs, ours)).toEqual(found);
  });
});

describe('the recorded list of fields', () => {
  test.runIf(hasCrds)('equals the CRDs of the Go operator', async () => {
    const kinds = await Promise.all(
      componentKinds.map(async (kind) => {
        const fields = [...(await readGoFields(kind))].map(
          ([path, schema]) => `    ${JSON.stringify(path)}: ${JSON.stringify(schema)}`,
        );
        return `  ${JSON.stringify(kind)}: {\n${fields.join(',\n')}\n  }`;
      }),
    );
    await expect(`{\n${kinds.join(',\n')}\n}\n`).toMatchFileSnapshot(recordedList);
  });
});
