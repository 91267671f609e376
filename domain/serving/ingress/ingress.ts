import type { ServingContext, Transform } from '../../manifests/transform.ts';

/** One ingress for Serving: what is installed for it and how its objects are changed. */
export interface Ingress {
  /** Its directory among the ingress bundles of a release. */
  readonly bundle: string;
  /** Installed when the spec says nothing about ingresses at all. */
  readonly byDefault?: boolean;
  /** Run on every object of the release while the ingress is selected. */
  readonly transforms: readonly Transform<ServingContext>[];
}
