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
 * An installation that 1.22 made in the resource's own namespace is recognised by its anchor, not here.
 */
export function destinationOf(kind: ComponentKind, resource: Pick<ManifestObject, 'metadata' | 'spec'>): Destination {
  const { defaultNamespace } = componentApi[kind];
  const modern = profileAt(resource, 'spec', 'destination', 'clusterProfileRef');
  if (modern !== undefined) {
    const namespace = stringAt(resource, 'spec', 'destination', 'namespace');
    return { profile: modern, installNamespace: namespace ?? defaultNamespace };
  }
  const old = profileAt(resource, 'spec', 'clusterProfileRef');
  if (old !== undefined) return { profile: old, installNamespace: defaultNamespace };
  return { installNamespace: resource.metadata.namespace ?? '' };
}

function profileAt(resource: unknown, ...path: readonly string[]): Destination['profile'] {
  const { name, namespace } = recordAt(resource, ...path);
  return typeof name === 'string' && typeof namespace === 'string' ? { namespace, name } : undefined;
}
