/** A version in the form `major.minor.patch-prerelease`; parts that are left out count as 0. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: readonly string[];
}

const number = '(0|[1-9][0-9]*)';
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const pattern = new RegExp(
  `^v?${number}(?:\\.${number}(?:\\.${number}(?:-(${identifiers}))?(?:\\+${identifiers})?)?)?$`,
);

/** Reads a version with or without a leading `v`; undefined when it is none. `1` and `1.22` are versions. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const prerelease = match[4]?.split('.') ?? [];
  if (prerelease.some((part) => /^0[0-9]+$/.test(part))) return undefined;
  return {
    major: Number(match[1]),
    minor: Number(match[2] ?? 0),
    patch: Number(match[3] ?? 0),
    prerelease,
  };
}

/** `major.minor` of a version; undefined when it is none. */
export function minorOf(text: string): string | undefined {
  const version = parseVersion(text);
  return version === undefined ? undefined : `${version.major}.${version.minor}`;
}

/** Sort order of release names: newest first; names that are no versions, such as `latest`, come last. */
export function newestFirst(left: string, right: string): number {
  const a = parseVersion(left);
  const b = parseVersion(right);
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return (
    b.major - a.major ||
    b.minor - a.minor ||
    b.patch - a.patch ||
    comparePrereleases(b.prerelease, a.prerelease)
  );
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIdentifiers(left: string, right: string): number {
  const numeric = [left, right].map((part) => /^[0-9]+$/.test(part));
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
  if (numeric[0] === true) return Number(left) - Number(right);
  return left === right ? 0 : left < right ? -1 : 1;
}
