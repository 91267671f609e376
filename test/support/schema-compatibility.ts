import type { JsonRecord } from '../../domain/manifests/object.ts';

const equalKeywords = [
  'type',
  'format',
  'default',
  'anyOf',
  'pattern',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
];
const upperBounds = ['maxLength', 'maxItems', 'maxProperties', 'maximum'];
const lowerBounds = ['minLength', 'minItems', 'minProperties', 'minimum'];

/** Names each way in which our schema of a field refuses or changes what theirs accepts. */
export function incompatibilities(theirs: JsonRecord, ours: JsonRecord | undefined): readonly string[] {
  if (ours === undefined) return ['missing'];
  const differs = (keyword: string) => JSON.stringify(theirs[keyword]) !== JSON.stringify(ours[keyword]);
  return [
    ...equalKeywords.filter(differs),
    ...(isNarrowerEnum(theirs['enum'], ours['enum']) ? ['enum'] : []),
    ...missingFrom(theirs['required'], ours['required']).map((name) => `requires ${name}`),
    ...upperBounds.filter((bound) => bound in ours && !(Number(theirs[bound]) <= Number(ours[bound]))),
    ...lowerBounds.filter((bound) => bound in ours && !(Number(theirs[bound]) >= Number(ours[bound]))),
  ];
}

/** The strings of `list` that `reference` lacks; anything that is not a list reads as empty. */
export function missingFrom(reference: unknown, list: unknown): readonly string[] {
  const known: readonly unknown[] = Array.isArray(reference) ? reference : [];
  return Array.isArray(list) ? list.filter((name) => !known.includes(name)).map(String) : [];
}

function isNarrowerEnum(theirs: unknown, ours: unknown): boolean {
  if (ours === undefined) return false;
  return theirs === undefined || missingFrom(ours, theirs).length > 0;
}
