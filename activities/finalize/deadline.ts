import type { ComponentResource } from '../../adapters/hub/components.ts';
import { durationMs } from '../../domain/api/duration.ts';
import { stringAt } from '../../domain/manifests/object.ts';

/** As a forced cleanup once `spec.deletion.deadline` has passed since the deletion; undefined before, or without one. */
export function deadlinePassed(
  resource: ComponentResource,
  now: Date,
): { readonly reason: string; readonly requestedBy: string } | undefined {
  const deadline = stringAt(resource.object, 'spec', 'deletion', 'deadline');
  const deletedAt = resource.object.metadata.deletionTimestamp;
  if (deadline === undefined || deletedAt === undefined) return undefined;
  const end = Date.parse(deletedAt) + durationMs(deadline);
  if (now.getTime() < end) return undefined;
  return { reason: `spec.deletion.deadline ${deadline} has passed`, requestedBy: 'deadline' };
}
