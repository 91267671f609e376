import { isRecord } from '../../domain/manifests/object.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';

const children: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties', 'description']);

/** Every field of a structural schema with what its schema says about it, children and descriptions left out. */
export function fieldPaths(schema: unknown): Map<string, JsonRecord> {
  const found = new Map<string, JsonRecord>();
  visit(schema, '', found);
  return found;
}

function visit(schema: unknown, path: string, found: Map<string, JsonRecord>): void {
  if (!isRecord(schema)) return;
  found.set(path, Object.fromEntries(Object.entries(schema).filter(([keyword]) => !children.has(keyword))));
  const { properties, items, additionalProperties } = schema;
  for (const [name, child] of Object.entries(isRecord(properties) ? properties : {})) {
    visit(child, `${path}.${name}`, found);
  }
  visit(items, `${path}[]`, found);
  visit(additionalProperties, `${path}{}`, found);
}
