import { isRecord } from './object.ts';

/**
 * JSON with sorted map keys and without undefined fields: equal values have equal text, so its hash names a rendered
 * set. The order of lists is kept.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}
