import { ApplicationFailure, log, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';

import type { Command } from '../domain/lifecycle/component-state.ts';
import { phaseOf } from '../domain/lifecycle/decide.ts';
import { refuseForceCleanup } from '../domain/lifecycle/reduce.ts';
import type { ComponentRun } from './component-run.ts';
import * as messages from './messages.ts';

/** Registers every handler before the first await; handlers only change the state. */
export function handleMessages(run: ComponentRun): void {
  setHandler(messages.resourceChanged, ({ uid, generation }) =>
    run.send({ type: 'resourceChanged', uid, generation }),
  );
  setHandler(messages.resourceDeleted, ({ uid }) => run.send({ type: 'resourceDeleted', uid }));
  setHandler(messages.resourceGone, ({ uid }) => run.send({ type: 'resourceGone', uid }));
  setHandler(messages.targetChanged, () => run.send({ type: 'lookAgain' }));
  setHandler(messages.driftDetected, (report) => run.send({ type: 'driftDetected', report }));
  setHandler(messages.healthChanged, () => run.send({ type: 'healthChanged' }));
  for (const signal of [messages.nudge, messages.syncNow])
    setHandler(signal, () => run.send({ type: 'lookAgain' }));
  setHandler(messages.describe, () => ({ phase: phaseOf(run.state), state: run.state }));
  handleCommands(run);
  // Last: signals that came before the first worker are handed out as handlers appear, and this one takes all the rest.
  setDefaultSignalHandler((name) => log.warn(`signal ${name} is not known and was ignored`));
}

function handleCommands(run: ComponentRun): void {
  const send = (command: Command): void => run.send({ type: 'command', command });
  setHandler(messages.forceCleanup, (request) => send(commandOf('forceCleanup', request)));
  setHandler(messages.suspend, (request) => send(commandOf('suspend', request)));
  setHandler(messages.resume, (request) => send(commandOf('resume', request)));
  setHandler(
    messages.forceCleanupUpdate,
    (request) => {
      send(commandOf('forceCleanup', request));
      return 'forced cleanup begins';
    },
    {
      description:
        'Give up what cannot be removed from the target now. Needs a deleted resource and a reason.',
      validator: (request) => refuse(refuseForceCleanup(run.state, commandOf('forceCleanup', request))),
    },
  );
  setHandler(messages.suspendUpdate, (request) => {
    send(commandOf('suspend', request));
    return 'suspended: nothing is written to the target until resume';
  });
  setHandler(messages.resumeUpdate, (request) => {
    send(commandOf('resume', request));
    return 'resumed';
  });
  setHandler(messages.syncNowUpdate, () => {
    run.send({ type: 'lookAgain' });
    return 'a full pass begins';
  });
}

/** A request can come from the UI as any JSON: missing fields read as empty. */
function commandOf(
  name: Command['name'],
  request: { readonly reason?: string; readonly requestedBy?: string } | undefined,
): Command {
  const reason = (request?.reason ?? '').slice(0, 300);
  return { name, reason, requestedBy: (request?.requestedBy ?? '').slice(0, 100) || 'unknown' };
}

function refuse(why: string | undefined): void {
  if (why !== undefined) throw ApplicationFailure.nonRetryable(why, 'CommandRefused');
}
