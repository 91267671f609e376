import type { ComponentResource } from '../adapters/hub/components.ts';
import { componentApi } from '../domain/api/component-ref.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import type { ResourceView } from '../domain/lifecycle/acknowledgement.ts';
import { findCondition } from '../domain/status/conditions.ts';
import { asStatus } from '../domain/status/status-change.ts';

/** Annotations by which people ask for something; a change of one is announced. */
const commandAnnotations = [
  wireNames.triggerAnnotation,
  wireNames.suspendAnnotation,
  wireNames.forceCleanupAnnotation,
  wireNames.acceptClusterAnnotation,
] as const;

export function resourceView(resource: ComponentResource): ResourceView {
  const status = asStatus(resource.status);
  const { acknowledged } = status;
  return {
    uid: resource.uid,
    generation: resource.generation,
    deleting: resource.deleting,
    finalizer: resource.finalizers.includes(componentApi[resource.ref.kind].finalizer),
    finalizing: findCondition(status.conditions ?? [], 'Finalizing') !== undefined,
    trigger: resource.annotations[wireNames.triggerAnnotation] ?? '',
    commands: Object.fromEntries(
      commandAnnotations.flatMap((key) => {
        const value = resource.annotations[key];
        return value === undefined ? [] : [[key, value]];
      }),
    ),
    acknowledgedGeneration: acknowledged?.generation ?? 0,
    acknowledgedTrigger: acknowledged?.trigger ?? '',
  };
}
