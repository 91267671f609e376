import type { ComponentResource } from '../adapters/hub/components.ts';
import { destinationOf } from '../domain/api/destination.ts';

/** `namespace/name` of the ClusterProfile that a resource names; undefined for the hub, and where it names it badly. */
export function profileOf({ ref, object }: ComponentResource): string | undefined {
  try {
    const { profile } = destinationOf(ref.kind, object);
    return profile === undefined ? undefined : `${profile.namespace}/${profile.name}`;
  } catch {
    return undefined;
  }
}
