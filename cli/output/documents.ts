import { stringify } from 'yaml';

/** How a command shows its result; `text` is what a person reads. */
export type OutputFormat = 'text' | 'wide' | 'json' | 'yaml';

/** Version of the documented shapes: fields are added, never renamed or removed. */
export const documentVersion = 'cli.fleet.knative.dev/v1';

/** What `-o json` and `-o yaml` print: a kind and its fields. */
export interface OutputDocument {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** One JSON or YAML document; undefined for the formats that people read. */
export function formatDocument(format: OutputFormat, document: OutputDocument): string | undefined {
  const { kind, ...fields } = document;
  const full = { apiVersion: documentVersion, kind, ...fields };
  if (format === 'json') return JSON.stringify(full, undefined, 2);
  if (format === 'yaml') return formatYaml(full);
  return undefined;
}

export function formatYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
}
