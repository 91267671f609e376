import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { formatPairs, formatTable } from '../../cli/output/table.ts';

const columns = [
  { heading: 'NAME', value: (row: { name: string }) => row.name },
  { heading: 'WHAT', value: (row: { what: string }) => row.what },
];

describe('formatTable', () => {
  test('makes each column as wide as its widest value and ends no line with blanks', () => {
    const rows = [
      { name: 'a', what: 'x' },
      { name: 'longer than the heading', what: '' },
    ];
    expect(formatTable(columns, rows).split('\n')).toEqual([
      'NAME                      WHAT',
      'a                         x',
      'longer than the heading',
    ]);
  });

  test('cuts lines at the width of a terminal, and never without one', () => {
    const rows = [{ name: 'a', what: 'x'.repeat(100) }];
    expect(formatTable(columns, rows, 20).split('\n')[1]).toBe(`a      ${'x'.repeat(12)}…`);
    expect(formatTable(columns, rows)).toContain('x'.repeat(100));
  });

  test('counts what people see as one character as one', () => {
    const rows = [
      { name: 'é👩‍👩‍👧', what: 'x' },
      { name: 'ab', what: 'y' },
    ];
    const [, first, second] = formatTable(columns, rows).split('\n');
    expect(first).toBe('é👩‍👩‍👧     x');
    expect(second).toBe('ab     y');
  });

  test('prints one line for each row whatever is in it, no wider than asked', () => {
    const row = fc.record({ name: fc.string(), what: fc.string() });
    fc.assert(
      fc.property(fc.array(row), fc.integer({ min: 5, max: 80 }), (rows, width) => {
        const lines = formatTable(columns, rows, width).split('\n');
        expect(lines).toHaveLength(rows.length + 1);
        for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(width * 4);
      }),
    );
  });
});

describe('formatPairs', () => {
  test('lines up the values', () => {
    const pairs = [
      ['Id', 'x'],
      ['Longer', 'y'],
    ] as const;
    expect(formatPairs(pairs)).toBe('Id:       x\nLonger:   y');
  });
});
