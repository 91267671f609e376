import { OperatorError } from './errors.ts';
import { withoutUnusedCertificates } from './eventing/transport-encryption.ts';
import { withAdditionalObjects } from './manifests/additional-objects.ts';
import { clusterScopedKindsOf } from './manifests/cluster-scoped.ts';
import { mergeDuplicates } from './manifests/merge-duplicates.ts';
import type { ManifestObject, OwnerReference } from './manifests/object.ts';
import { keyOf } from './manifests/object.ts';
import { prepareObject } from './manifests/prepare-object.ts';
import type { EventingContext, ServingContext, TransformContext } from './manifests/transform.ts';
import { checkVersionLabels } from './manifests/version-labels.ts';
import { pipelineFor } from './transforms/pipeline.ts';
import { unknownNames } from './transforms/unknown-names.ts';

/** The objects of a release as their manifests have them. */
export interface ReleaseObjects {
  /** Of the base bundle, or of `spec.manifests` in its place. */
  readonly base: readonly ManifestObject[];
  /** Of ingresses, sources and security guard, in the order of the release selection. */
  readonly plugins: readonly { readonly plugin: string; readonly objects: readonly ManifestObject[] }[];
  /** Of `spec.additionalManifests`. */
  readonly additional: readonly ManifestObject[];
}

interface CommonInput {
  /** As selected by `selectRelease`. */
  readonly version: string;
  readonly installNamespace: string;
  /** The anchor on a spoke, the resource itself on the local cluster. */
  readonly owner: OwnerReference;
  readonly bundles: ReleaseObjects;
  /** Value of the operator's own KUBERNETES_MIN_VERSION. */
  readonly kubernetesMinVersion?: string | undefined;
}

export type RenderInput = CommonInput &
  (
    | { readonly kind: 'KnativeServing'; readonly spec: ServingContext['spec'] }
    | { readonly kind: 'KnativeEventing'; readonly spec: EventingContext['spec'] }
  );

export interface RenderedRelease {
  /** Ready for server-side apply, one per identity, in manifest order. */
  readonly objects: readonly ManifestObject[];
  /** What in the spec has no effect, for people. */
  readonly warnings: readonly string[];
  /** The plug-in that an object came from, by `keyOf` the object; base and additional objects are not in it. */
  readonly origins: ReadonlyMap<string, string>;
}

/** The most objects that one component may have: what one inventory holds with room to spare. */
export const maxObjects = 5000;

interface SourcedObject {
  readonly object: ManifestObject;
  readonly plugin?: string;
}

/**
 * The objects to apply for a component. Pure and deterministic; inputs are never changed. Throws OperatorError:
 * SpecInvalid when the spec asks for something impossible, ManifestInvalid when manifests are empty, of another
 * version, too many or no Kubernetes objects.
 */
export function renderRelease(input: RenderInput): RenderedRelease {
  const released = loadedObjects(input);
  const before = released.map(({ object }) => object);
  const context = contextOf(input, before);
  const render = pipelineFor(context);
  const sourced = released.map(({ object, plugin }) => ({ object: render(object), plugin }));
  const wanted = wantedObjects(
    sourced.map(({ object }) => object),
    context,
  );
  const origins = new Map(sourced.map(({ object, plugin }) => [keyOf(object), plugin] as const));
  return {
    objects: wanted,
    warnings: unknownNames(input.spec, before),
    origins: new Map([...origins].filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

function loadedObjects({ bundles, version }: RenderInput): readonly SourcedObject[] {
  const base = bundles.base.map(prepareObject);
  const additional = bundles.additional.map(prepareObject);
  if (base.length === 0) {
    throw new OperatorError(
      'ManifestInvalid',
      `there is no resource available in the target manifests of version ${version}`,
    );
  }
  checkVersionLabels(base, version);
  checkVersionLabels(additional, version);
  const plugins = bundles.plugins.flatMap(({ plugin, objects }) =>
    objects.map((object) => ({ object: prepareObject(object), plugin })),
  );
  return withAdditionalObjects<SourcedObject>(
    [...base.map((object) => ({ object })), ...plugins],
    additional.map((object) => ({ object })),
  );
}

function contextOf(input: RenderInput, objects: readonly ManifestObject[]): TransformContext {
  const { bundles: _bundles, ...fields } = input;
  return { ...fields, clusterScopedKinds: clusterScopedKindsOf(objects) };
}

function wantedObjects(
  rendered: readonly ManifestObject[],
  context: TransformContext,
): readonly ManifestObject[] {
  const kept =
    context.kind === 'KnativeEventing' ? withoutUnusedCertificates(rendered, context.spec) : rendered;
  const objects = mergeDuplicates(kept);
  if (objects.length <= maxObjects) return objects;
  throw new OperatorError(
    'ManifestInvalid',
    `the manifests hold ${objects.length} objects, more than the ${maxObjects} that one component may have; move some out of spec.additionalManifests`,
  );
}
