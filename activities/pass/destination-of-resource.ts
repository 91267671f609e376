import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { Destination } from '../../domain/api/destination.ts';
import { destinationOf } from '../../domain/api/destination.ts';
import { stringAt } from '../../domain/manifests/object.ts';

/** Where a resource goes: the namespace that was chosen once stays, whatever would be chosen now. */
export function destinationOfResource(resource: ComponentResource): Destination {
  const destination = destinationOf(resource.ref.kind, resource.object);
  const chosen = stringAt(resource.status, 'target', 'installNamespace');
  return chosen === undefined || chosen === '' ? destination : { ...destination, installNamespace: chosen };
}
