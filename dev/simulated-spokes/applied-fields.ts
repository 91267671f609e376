import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord, stringAt } from '../../domain/manifests/object.ts';

/** About what `managedFields[].fieldsV1` is after an apply; lists of named elements count as maps by name. */
export function appliedFields({
  apiVersion: _version,
  kind: _kind,
  metadata,
  ...rest
}: ManifestObject): JsonRecord {
  const { labels, annotations } = metadata;
  return fieldsOf({ metadata: { labels, annotations }, ...rest });
}

function fieldsOf(value: unknown): JsonRecord {
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([key, field]) => [`f:${key}`, fieldsOf(field)]),
    );
  }
  if (!Array.isArray(value) || !value.every((element) => stringAt(element, 'name') !== undefined)) return {};
  return Object.fromEntries(
    value.map((element) => [
      `k:{"name":${JSON.stringify(stringAt(element, 'name'))}}`,
      { '.': {}, ...fieldsOf(element) },
    ]),
  );
}
