import type { ComponentRef } from '../domain/api/component-ref.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { isOperatorError } from '../domain/errors.ts';
import type { Command } from '../domain/lifecycle/component-state.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { toApplicationFailure } from './failure.ts';

/** Writes a person's command as an annotation on the resource, so that it outlives the workflow. Idempotent. */
export function recordCommand(deps: ActivityDependencies) {
  return async (input: {
    readonly ref: ComponentRef;
    readonly uid: string;
    readonly command: Command;
  }): Promise<void> => {
    const { ref, uid, command } = input;
    try {
      await deps.hub.components.annotate(ref, uid, annotationOf(uid, command));
      const message = `${command.name} asked by ${command.requestedBy}${command.reason === '' ? '' : `: ${command.reason}`}`;
      await deps.hub.events.record(ref, uid, { type: 'Normal', reason: 'Command', message });
    } catch (error) {
      if (isOperatorError(error, 'NotFound') || isOperatorError(error, 'Conflict')) return;
      throw toApplicationFailure(error);
    }
  };
}

function annotationOf(uid: string, command: Command): Record<string, string | null> {
  switch (command.name) {
    case 'forceCleanup':
      return { [wireNames.forceCleanupAnnotation]: `${uid}: ${command.reason}` };
    case 'suspend':
      return { [wireNames.suspendAnnotation]: `${command.requestedBy}: ${command.reason}` };
    case 'resume':
      return { [wireNames.suspendAnnotation]: null };
  }
}
