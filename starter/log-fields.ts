import type { ComponentResource } from '../adapters/hub/components.ts';
import { componentWorkflowId } from '../workflows/component-workflow-id.ts';
import { profileOf } from './profile-of.ts';

/** What every line about a resource says, as every line of a worker does. */
export function logFields(resource: ComponentResource, hubId: string): object {
  const { ref } = resource;
  return { component: ref, spoke: profileOf(resource), workflowId: componentWorkflowId(ref, hubId) };
}
