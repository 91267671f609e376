import { createHash } from 'node:crypto';

import { canonicalJson } from '../../domain/manifests/canonical-json.ts';

/** SHA-256 (hex) of a JSON value; the order of object keys does not matter. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
