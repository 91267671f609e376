import type { ComponentKind } from '../api/component-ref.ts';
import type { KnativeEventingSpec } from '../api/knative-eventing.ts';
import type { KnativeServingSpec } from '../api/knative-serving.ts';
import type { ManifestObject, OwnerReference } from './object.ts';

/** Everything a transform may look at besides the object. */
export interface TransformContext {
  readonly kind: ComponentKind;
  /** The resource's spec; a transform that serves one kind narrows it by `kind`. */
  readonly spec: KnativeServingSpec | KnativeEventingSpec;
  /** Target version without a leading `v`, such as `1.22.1`. */
  readonly version: string;
  readonly installNamespace: string;
  /** The anchor on a spoke, the resource itself on the local cluster. */
  readonly owner: OwnerReference;
  /** Value of the operator's own KUBERNETES_MIN_VERSION; undefined when unset. */
  readonly kubernetesMinVersion?: string | undefined;
}

/**
 * One rewrite of one object. Pure: never mutates its input, returns the same object when nothing changes, throws only
 * OperatorError (kinds SpecInvalid and ManifestInvalid).
 */
export type Transform = (object: ManifestObject, context: TransformContext) => ManifestObject;
