import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';

import { withLogContext } from '../adapters/telemetry/log-context.ts';
import type { ActivityObserver } from '../adapters/telemetry/metrics/activity-metrics.ts';
import type { ComponentRef } from '../domain/api/component-ref.ts';
import { recordAt, stringAt } from '../domain/manifests/object.ts';

/** Measures each try of an activity and gives its log lines their context. */
export function observedActivity(observe: ActivityObserver): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      const { activityType: activity, attempt, workflowExecution } = Context.current().info;
      const [argument] = input.args;
      const component = componentOf(argument);
      const context = {
        workflowId: workflowExecution?.workflowId ?? '',
        activity,
        attempt,
        component,
        ...spokeOf(argument),
      };
      const startedAt = performance.now();
      const end = (outcome: 'completed' | 'failed' | 'cancelled', cause?: string): void =>
        observe({
          activity,
          component,
          outcome,
          milliseconds: performance.now() - startedAt,
          ...(cause === undefined ? {} : { cause }),
        });
      try {
        const result = await withLogContext(context, () => next(input));
        end('completed');
        return result;
      } catch (error) {
        if (Context.current().cancellationSignal.aborted) end('cancelled');
        else end('failed', causeOf(error));
        throw error;
      }
    },
  };
}

function componentOf(argument: unknown): ComponentRef | undefined {
  const { kind, namespace = '', name = '' } = recordAt(argument, 'ref');
  if (kind !== 'KnativeServing' && kind !== 'KnativeEventing') return undefined;
  return { kind, namespace: String(namespace), name: String(name) };
}

function spokeOf(argument: unknown): { spoke?: string } {
  const profile = stringAt(argument, 'target', 'profile');
  return profile === undefined || profile === 'local' ? {} : { spoke: profile };
}

function causeOf(error: unknown): string {
  return error instanceof ApplicationFailure ? (error.type ?? 'Unknown') : 'Unknown';
}
