import { isOperatorError, OperatorError } from '../errors.ts';
import type { ManifestObject } from '../manifests/object.ts';
import { recordAt, stringAt } from '../manifests/object.ts';
import type { ComponentKind } from './component-ref.ts';
import { componentApi } from './component-ref.ts';

/** Where a resource asks to be installed. */
export interface Destination {
  /** The ClusterProfile of the spoke; absent for the cluster that holds the resource. */
  readonly profile?: { readonly namespace: string; readonly name: string };
  readonly installNamespace: string;
}

/**
 * Reads the destination of a resource. Without one, the install namespace is the resource's own; with
 * `spec.destination` it is the one named there; with `spec.clusterProfileRef` of 1.22 it is the namespace of the kind.
 * An installation that 1.22 made in the resource's own namespace is recognised by its anchor, not here. Throws
 * SpecInvalid for a destination that names no profile, which must never be taken for the local cluster.
 */
export function destinationOf(
  kind: ComponentKind,
  resource: Pick<ManifestObject, 'metadata'> & { readonly spec?: unknown },
): Destination {
  const { defaultNamespace } = componentApi[kind];
  const spec = recordAt(resource, 'spec');
  if (isPresent(spec['destination'])) {
    return {
      profile: profileAt(resource, 'spec', 'destination', 'clusterProfileRef'),
      installNamespace: stringAt(spec, 'destination', 'namespace') ?? defaultNamespace,
    };
  }
  if (isPresent(spec['clusterProfileRef'])) {
    return { profile: profileAt(resource, 'spec', 'clusterProfileRef'), installNamespace: defaultNamespace };
  }
  return { installNamespace: resource.metadata.namespace ?? '' };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function profileAt(
  resource: Pick<ManifestObject, 'metadata'>,
  ...path: readonly string[]
): { readonly namespace: string; readonly name: string } {
  const { name, namespace } = recordAt(resource, ...path);
  if (typeof name === 'string' && typeof namespace === 'string') return { namespace, name };
  throw new OperatorError(
    'SpecInvalid',
    `${path.join('.')} of ${resource.metadata.namespace ?? ''}/${resource.metadata.name ?? ''} must name a ` +
      'ClusterProfile by name and namespace',
  );
}

/** Name of the target of resources without a destination: the cluster that holds them. */
export const localTarget = 'local';

/**
 * `<namespace>/<name>` of the ClusterProfile that a resource names, or `local`. Undefined when its destination cannot be
 * used.
 */
export function targetNameOf(...resource: Parameters<typeof destinationOf>): string | undefined {
  try {
    const { profile } = destinationOf(...resource);
    return profile === undefined ? localTarget : `${profile.namespace}/${profile.name}`;
  } catch (error) {
    if (isOperatorError(error, 'SpecInvalid')) return undefined;
    throw error;
  }
}
