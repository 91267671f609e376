import { createHash } from 'node:crypto';

import type { ManifestObject } from '../../domain/manifests/object.ts';

/** Digest of what a Job runs; an equal one that completed is not applied again. */
export function templateDigest(job: ManifestObject): string {
  return createHash('sha256')
    .update(JSON.stringify(job['spec'] ?? null))
    .digest('hex')
    .slice(0, 16);
}
