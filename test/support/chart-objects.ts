import { parseAllDocuments } from 'yaml';

import type { ManifestObject } from '../../domain/manifests/object.ts';

/** The objects of a rendered chart or of any YAML text for kubectl. */
export function chartObjects(text: string): readonly ManifestObject[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as ManifestObject | null)
    .filter((object) => object !== null);
}
