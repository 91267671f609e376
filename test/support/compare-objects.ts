import type { ManifestObject } from '../../domain/manifests/object.ts';
import { isRecord } from '../../domain/manifests/object.ts';

/** One field in which a rendered object is not what a server kept of the recorded one. */
export interface Difference {
  readonly object: string;
  readonly path: string;
  readonly ours: unknown;
  readonly recorded: unknown;
}

/** Everything at or below these holds user or release data only: the recording must not have more of it than we. */
const completeMaps =
  /(^|\.)(labels|annotations|data|stringData|matchLabels|nodeSelector|selector|limits|requests)$/;
/** Labels that the API server, or the operator before it applies anything, puts on a Namespace. */
const foreignLabels = new Set(['kubernetes.io/metadata.name', 'app.kubernetes.io/managed-by']);

/**
 * Where a rendered object differs from the recorded one: every value of ours that the recording does not have, and
 * every key of a data map that only the recording has. What the server fills in or writes differently does not count.
 */
export function compareObjects(
  key: string,
  object: ManifestObject,
  recorded: ManifestObject,
): readonly Difference[] {
  const found: Difference[] = [];
  const { apiVersion: _served, ...fields } = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
  compare('', fields, recorded, (path, ours, theirs) => {
    found.push({ object: key, path, ours, recorded: theirs });
  });
  return found;
}

type Report = (path: string, ours: unknown, recorded: unknown) => void;

function compare(path: string, ours: unknown, recorded: unknown, report: Report): void {
  if (isOmitted(path, ours, recorded)) return;
  if (isRecord(ours) && isRecord(recorded)) {
    compareMaps(path, ours, recorded, report);
  } else if (Array.isArray(ours) && Array.isArray(recorded) && ours.length === recorded.length) {
    ours.forEach((item, index) => {
      compare(`${path}[]`, item, recorded[index], report);
    });
  } else if (!sameScalar(path, ours, recorded)) {
    report(path, ours, recorded);
  }
}

function compareMaps(
  path: string,
  ours: Readonly<Record<string, unknown>>,
  recorded: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  for (const [field, value] of Object.entries(ours)) {
    compare(join(path, field), value, recorded[field], report);
  }
  const more = completeMaps.test(path) ? Object.keys(recorded) : [];
  for (const field of more.filter((name) => !(name in ours) && !foreignLabels.has(name))) {
    report(join(path, field), undefined, recorded[field]);
  }
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** What the server does not keep: zero values, the default conversion, and the UID that the recording leaves out. */
function isOmitted(path: string, ours: unknown, recorded: unknown): boolean {
  if (recorded !== undefined && recorded !== null) return false;
  if (path === 'metadata.ownerReferences[].uid') return true;
  if (path === 'spec.conversion') return isRecord(ours) && ours['strategy'] === 'None';
  return ours === '' || ours === false || isEmpty(ours);
}

function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}

function sameScalar(path: string, ours: unknown, recorded: unknown): boolean {
  if (ours === recorded) return true;
  return /\.(limits|requests)\.[^.]+$/.test(path) && quantity(ours) === quantity(recorded);
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

function quantity(value: unknown): number {
  const [, number, unit = ''] = /^([0-9.]+)([A-Za-z]*)$/.exec(String(value)) ?? [];
  return Number(number) * (units[unit] ?? Number.NaN);
}
