import type { KnativeEventingSpec } from '../api/knative-eventing.ts';
import type { KnativeServingSpec } from '../api/knative-serving.ts';
import type { ManifestObject, OwnerReference } from './object.ts';

interface CommonContext {
  /** The version that is installed, such as `1.22.1`; with `spec.manifests` it is `spec.version` as written. */
  readonly version: string;
  readonly installNamespace: string;
  /** The anchor on a spoke, the resource itself on the local cluster. */
  readonly owner: OwnerReference;
  /** Value of the operator's own KUBERNETES_MIN_VERSION; undefined when unset. */
  readonly kubernetesMinVersion?: string | undefined;
  /** `group/Kind` of the cluster-scoped kinds that CRDs of this release define. */
  readonly clusterScopedKinds: ReadonlySet<string>;
}

export interface ServingContext extends CommonContext {
  readonly kind: 'KnativeServing';
  readonly spec: KnativeServingSpec;
}

export interface EventingContext extends CommonContext {
  readonly kind: 'KnativeEventing';
  readonly spec: KnativeEventingSpec;
}

/** Everything a transform may look at besides the object. */
export type TransformContext = ServingContext | EventingContext;

/**
 * One rewrite of one object. Pure: never mutates its input, returns the same object when nothing changes, throws only
 * OperatorError (kinds SpecInvalid and ManifestInvalid). One that serves a single kind takes that kind's context.
 */
export type Transform<Context extends TransformContext = TransformContext> = (
  object: ManifestObject,
  context: Context,
) => ManifestObject;

/** Runs one object through transforms in their order. */
export function transformObject<Context extends TransformContext>(
  object: ManifestObject,
  transforms: readonly Transform<Context>[],
  context: Context,
): ManifestObject {
  return transforms.reduce((current, transform) => transform(current, context), object);
}
