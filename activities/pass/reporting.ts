import { Context } from '@temporalio/activity';

import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import type { PassInput } from '../../domain/lifecycle/pass.ts';
import { failureReasons } from '../../domain/status/reasons.ts';
import { acknowledge, asStatus, isTrue, showFailure } from '../../domain/status/status-change.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { timestamp } from './timestamp.ts';
import { failureView, toApplicationFailure } from '../failure.ts';

/** Failures in a row before a condition that was True turns False: a blip must not flap Ready. */
const attemptsBeforeShown = 3;

/**
 * Runs the body of an activity. A failure is shown in the resource's conditions and as an event by the activity
 * itself, because its further tries are Temporal's and cost the workflow no history; then it is thrown in the form
 * that Temporal stores.
 */
export async function reporting<T>(
  deps: ActivityDependencies,
  component: PassInput,
  body: () => Promise<T>,
): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (Context.current().cancellationSignal.aborted) throw error;
    await show(deps, component, error);
    throw toApplicationFailure(error);
  }
}

async function show(deps: ActivityDependencies, component: PassInput, error: unknown): Promise<void> {
  const failure = failureView(error);
  const { condition, reason, retry } = failureReasons[failure.kind];
  const attempt = Context.current().info.attempt;
  const fields = { component: component.ref, kind: failure.kind, attempt };
  if (failure.kind === 'Internal') deps.log.error({ ...fields, err: error }, 'defect in an activity');
  else deps.log.warn(fields, failure.message);
  if (condition === 'none' || reason === 'None') return;
  try {
    const wrote = await deps.hub.components.updateStatus(
      component.ref,
      component.uid,
      (found, { annotations }) => {
        const status = asStatus(found);
        // Only what is tried again can be a blip.
        const again = retry === 'retry' || retry === 'bug';
        if (again && isTrue(status, condition) && attempt < attemptsBeforeShown) return found;
        // Another try serves the trigger, or no try can help; announced again and again, it would only fill history.
        const trigger = annotations[wireNames.triggerAnnotation] ?? '';
        const served = { generation: component.generation, trigger };
        const shown = showFailure(status, { ...failure, generation: component.generation }, timestamp());
        return acknowledge(shown, served);
      },
    );
    const message = failure.message;
    if (wrote)
      await deps.hub.events.record(component.ref, component.uid, { type: 'Warning', reason, message });
  } catch (failed) {
    if (!isOperatorError(failed, 'ResourceGone')) {
      deps.log.warn(fields, `the failure could not be written to the resource: ${messageOf(failed)}`);
    }
  }
}
