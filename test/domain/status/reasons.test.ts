import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { dependentConditions } from '../../../domain/status/conditions.ts';
import { failureReasons } from '../../../domain/status/reasons.ts';

const source = readFileSync(new URL('../../../domain/errors.ts', import.meta.url), 'utf8');
const union = source.slice(
  source.indexOf('export type ErrorKind'),
  source.indexOf('export type ErrorDetails'),
);
const kinds = [...union.matchAll(/\| '(\w+)'/g)].map(([, kind]) => kind ?? '');

describe('failureReasons', () => {
  test('declares every kind of failure and no other', () => {
    expect(kinds.length).toBeGreaterThan(20);
    expect(Object.keys(failureReasons).toSorted()).toEqual(kinds.toSorted());
  });

  test.each(Object.entries(failureReasons))('%s says what it means and what to do', (_kind, declaration) => {
    expect(declaration.meaning).toMatch(/^[A-Z].+\.$/);
    expect(declaration.advice).toMatch(/^[A-Z].+\.$/);
    expect(declaration.reason).toMatch(/^[A-Z][A-Za-z]+$/);
    expect([...dependentConditions, 'none']).toContain(declaration.condition);
    expect(['retry', 'wait', 'restart', 'bug']).toContain(declaration.retry);
  });

  test('a failure of the target shows its kind as reason', () => {
    const shown = Object.entries(failureReasons).filter(
      ([, { condition }]) => condition === 'TargetClusterResolved',
    );
    expect(shown.map(([, { reason }]) => reason)).toEqual(shown.map(([kind]) => kind));
  });

  test('whatever waits for a person is shown on the resource', () => {
    const waiting = Object.values(failureReasons).filter(({ retry }) => retry === 'wait' || retry === 'bug');
    expect(waiting.map(({ condition }) => condition)).not.toContain('none');
  });
});
