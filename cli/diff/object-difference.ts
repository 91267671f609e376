import { createTwoFilesPatch } from 'diff';
import { stringify } from 'yaml';

import type { ManifestObject } from '../../domain/manifests/object.ts';
import { describeIdentity, identityOf, isRecord } from '../../domain/manifests/object.ts';

/** One object that differs; the fields are the documented shape of `-o json`. */
export interface ObjectDifference {
  /** `Kind namespace/name`. */
  readonly object: string;
  readonly change: 'create' | 'change' | 'remove' | 'failed';
  /** A unified diff of YAML; for `failed` what the server answered. Values of Secrets are never in it. */
  readonly diff: string;
}

/** Undefined when an apply would change nothing. */
export function differenceOf(
  live: ManifestObject | undefined,
  wanted: ManifestObject,
): ObjectDifference | undefined {
  const object = describeIdentity(identityOf(wanted));
  const [before, after] = masked(live === undefined ? undefined : cleaned(live), cleaned(wanted));
  const texts = [textOf(before), textOf(after)] as const;
  if (texts[0] === texts[1]) return undefined;
  const diff = createTwoFilesPatch(`live ${object}`, `wanted ${object}`, ...texts, '', '', { context: 3 });
  return { object, change: live === undefined ? 'create' : 'change', diff: withoutRuler(diff) };
}

/** What the server keeps for itself, and what changes with every write. */
const serverFields = new Set(['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp']);

function cleaned(object: ManifestObject): Record<string, unknown> {
  const { status: _status, metadata, ...rest } = object;
  const kept = Object.entries(metadata).filter(([key]) => !serverFields.has(key));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

type Body = Record<string, unknown> | undefined;

/** Values of Secrets become marks that still show which of them differ. */
function masked(live: Body, wanted: Body): readonly [Body, Body] {
  if (wanted?.['kind'] !== 'Secret') return [live, wanted];
  const before = dataOf(live);
  const after = dataOf(wanted);
  const hide = (data: Readonly<Record<string, unknown>>, mark: string): Record<string, string> =>
    Object.fromEntries(
      Object.keys(data).map((key) => [key, before[key] === after[key] ? '***' : `*** ${mark}`]),
    );
  return [
    live === undefined ? undefined : { ...live, data: hide(before, '(before)') },
    { ...wanted, data: hide(after, '(after)') },
  ];
}

function dataOf(secret: Body): Readonly<Record<string, unknown>> {
  const data = secret?.['data'];
  return isRecord(data) ? data : {};
}

function textOf(body: Body): string {
  if (body === undefined) return '';
  return stringify(body, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false });
}

function withoutRuler(patch: string): string {
  return patch.replace(/^=+\n/, '').replaceAll('\t\n', '\n').trimEnd();
}
