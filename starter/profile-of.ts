import type { ComponentResource } from '../adapters/hub/components.ts';
import { localTarget, targetNameOf } from '../domain/api/destination.ts';

/** `namespace/name` of the ClusterProfile that a resource names; undefined for the hub, and where it names it badly. */
export function profileOf({ ref, object }: ComponentResource): string | undefined {
  const target = targetNameOf(ref.kind, object);
  return target === localTarget ? undefined : target;
}
