import type { ComponentResource } from '../../adapters/hub/components.ts';
import { durationMs } from '../../domain/api/duration.ts';
import { stringAt } from '../../domain/manifests/object.ts';

/** When `spec.deletion.deadline` passes, milliseconds since the epoch; undefined without one, or before the deletion. */
export function deadlineOf(resource: ComponentResource): number | undefined {
  const deadline = stringAt(resource.object, 'spec', 'deletion', 'deadline');
  const deletedAt = resource.object.metadata.deletionTimestamp;
  if (deadline === undefined || deletedAt === undefined) return undefined;
  return Date.parse(deletedAt) + durationMs(deadline);
}

/** As a forced cleanup once `spec.deletion.deadline` has passed since the deletion; undefined before, or without one. */
export function deadlinePassed(
  resource: ComponentResource,
  now: Date,
): { readonly reason: string; readonly requestedBy: string } | undefined {
  const end = deadlineOf(resource);
  if (end === undefined || now.getTime() < end) return undefined;
  const deadline = stringAt(resource.object, 'spec', 'deletion', 'deadline') ?? '';
  return { reason: `spec.deletion.deadline ${deadline} has passed`, requestedBy: 'deadline' };
}
