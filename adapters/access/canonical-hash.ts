import { createHash } from 'node:crypto';

import { isRecord } from '../../domain/manifests/object.ts';

/** SHA-256 (hex) of a JSON value; the order of object keys does not matter. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
