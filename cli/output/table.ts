/** One column: its heading, and what it shows of a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
}

const gap = '   ';

/**
 * Rows under headings, each column as wide as its widest value. Lines longer than `width` are cut with `…`; without a
 * width nothing is cut. Line breaks inside values become blanks, so that a row is always one line.
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width?: number,
): string {
  const cells = [
    columns.map(({ heading }) => heading),
    ...rows.map((row) => columns.map(({ value }) => oneLine(value(row)))),
  ];
  return layOut(cells, width).join('\n');
}

/** Rows without headings, as `describe` shows facts. */
export function formatPairs(pairs: readonly (readonly [string, string])[], indent = ''): string {
  const shown = pairs.map(([name, value]) => [`${name}:`, value]);
  return layOut(shown, undefined)
    .map((line) => `${indent}${line}`)
    .join('\n');
}

function layOut(cells: readonly (readonly string[])[], width: number | undefined): readonly string[] {
  const widths = (cells[0] ?? []).map((_, index) =>
    Math.max(...cells.map((row) => charactersOf(row[index] ?? '').length)),
  );
  return cells.map((row) => {
    const line = row.map((cell, index) => pad(cell, widths[index] ?? 0)).join(gap);
    return cut(line.trimEnd(), width);
  });
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - charactersOf(text).length));
}

function cut(line: string, width: number | undefined): string {
  const characters = charactersOf(line);
  if (width === undefined || characters.length <= width) return line;
  return `${characters.slice(0, Math.max(1, width - 1)).join('')}…`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
