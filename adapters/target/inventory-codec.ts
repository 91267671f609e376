import { gunzipSync, gzipSync } from 'node:zlib';

import { OperatorError } from '../../domain/errors.ts';
import type { Inventory } from '../../domain/manifests/inventory.ts';

/** Largest compressed inventory: a ConfigMap holds 1 MiB, and metadata needs room. */
export const maxInventoryBytes = 900_000;

/** Gzip in base64, as a ConfigMap's binaryData takes it. Throws SpecInvalid when it does not fit. */
export function encodeInventory(inventory: Inventory): string {
  const bytes = gzipSync(JSON.stringify(inventory));
  if (bytes.length > maxInventoryBytes) {
    throw new OperatorError(
      'SpecInvalid',
      `the inventory of ${inventory.component} takes ${String(bytes.length)} bytes compressed, more than ` +
        `${String(maxInventoryBytes)}; install fewer objects through spec.additionalManifests`,
    );
  }
  return bytes.toString('base64');
}

/** Undefined when the text is not an inventory: a damaged copy counts as lost and is rebuilt. */
export function decodeInventory(text: string): Inventory | undefined {
  try {
    const value: unknown = JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8'));
    return isInventory(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isInventory(value: unknown): value is Inventory {
  return (
    typeof value === 'object' &&
    value !== null &&
    'entries' in value &&
    Array.isArray(value.entries) &&
    'uid' in value &&
    typeof value.uid === 'string'
  );
}
