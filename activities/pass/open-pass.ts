import type { ComponentResource } from '../../adapters/hub/components.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { PassInput } from '../../domain/lifecycle/pass.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { refuseBesideGoOperator } from './refuse-beside-go-operator.ts';

/**
 * Reads the resource again and makes sure that the pass still serves it. Throws ResourceGone, Superseded when it moved
 * on or was deleted, Paused when a person holds every write, GoOperatorActive while a Go operator is at work.
 */
export async function openPass(deps: ActivityDependencies, pass: PassInput): Promise<ComponentResource> {
  const resource = await deps.hub.components.require(pass.ref, pass.uid);
  if (resource.deleting || resource.generation !== pass.generation) {
    throw new OperatorError(
      'Superseded',
      `${formatComponentRef(pass.ref)} changed while generation ${String(pass.generation)} was being installed`,
    );
  }
  refuseWhenPaused(resource);
  await refuseBesideGoOperator(deps);
  return resource;
}

/** Throws Paused while spec.paused or the suspend annotation holds every write to the target. */
export function refuseWhenPaused(resource: ComponentResource): void {
  if (!isHeld(resource)) return;
  const suspended = resource.annotations[wireNames.suspendAnnotation];
  const paused = isPaused(resource);
  const what = paused ? 'spec.paused is true' : `annotation ${wireNames.suspendAnnotation} is set`;
  const why = suspended === undefined || suspended === '' ? '' : ` (${suspended.slice(0, 200)})`;
  throw new OperatorError(
    'Paused',
    `${formatComponentRef(resource.ref)} is held: ${what}${why}; nothing is written to its target until that ends`,
  );
}

/** Whether a person holds every write to the target. */
export function isHeld(resource: ComponentResource): boolean {
  return resource.annotations[wireNames.suspendAnnotation] !== undefined || isPaused(resource);
}

function isPaused(resource: ComponentResource): boolean {
  return recordAt(resource.object, 'spec')['paused'] === true;
}
