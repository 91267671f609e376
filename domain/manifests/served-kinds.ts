import type { ManifestObject } from './object.ts';
import { isRecord, listAt, stringAt } from './object.ts';

export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Name of the CustomResourceDefinition. */
  readonly crd: string;
}

/** What the API server serves once it has established a CustomResourceDefinition; nothing for any other object. */
export function servedKindsOf(object: ManifestObject): readonly ServedKind[] {
  if (object.kind !== 'CustomResourceDefinition') return [];
  const group = stringAt(object, 'spec', 'group') ?? '';
  const kind = stringAt(object, 'spec', 'names', 'kind') ?? '';
  return listAt(object, 'spec', 'versions')
    .filter((version) => isRecord(version) && version['served'] === true)
    .map((version) => ({
      apiVersion: `${group}/${stringAt(version, 'name') ?? ''}`,
      kind,
      crd: object.metadata.name ?? '',
    }));
}
