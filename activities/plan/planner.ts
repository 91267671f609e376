import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

/** A rendered release whose owner is still a placeholder; `owned` fills in the real one. */
export interface PlannedRelease {
  readonly version: string;
  /** SHA-256 of the rendered objects in canonical form. */
  readonly digest: string;
  readonly objects: readonly ManifestObject[];
  readonly warnings: readonly string[];
  /** For `status.manifests`. */
  readonly manifests: readonly string[];
  /** Identity key to plug-in. */
  readonly origins: ReadonlyMap<string, string>;
}

/**
 * Chooses, loads and renders what a resource asks for. Equal specs and bundles give equal digests in every process.
 * Throws VersionNotEligible, ReleaseUnavailable, SpecInvalid and ManifestInvalid.
 */
export interface Planner {
  plan(resource: ComponentResource): Promise<PlannedRelease>;
}
