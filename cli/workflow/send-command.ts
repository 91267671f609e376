import { userInfo } from 'node:os';

import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';

import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentRef } from '../../domain/api/component-ref.ts';
import { messageOf } from '../../domain/errors.ts';
import { componentWorkflowId } from '../../workflows/component-workflow-id.ts';
import * as messages from '../../workflows/messages.ts';
import { CommandError } from '../exit-codes.ts';
import { withProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';

/** A command of a person to one component's workflow. */
export interface ComponentCommand {
  readonly name: 'sync' | 'suspend' | 'resume' | 'forceCleanup';
  readonly requestedBy: string;
  readonly reason: string;
}

/** What came of a command. */
export interface CommandAnswer {
  readonly component: string;
  readonly command: ComponentCommand['name'];
  /** `update`: a worker took it. `signal`: no worker answered in time; Temporal keeps it for the next one. */
  readonly sentAs: 'update' | 'signal';
  readonly answer: string;
}

/** How long a worker may take to answer an update before the signal twin is sent instead. */
const updateTimeoutMs = 8_000;

/**
 * Sends a command as an update, which answers, else as the signal of the same meaning. Doubled is harmless: the update
 * may still arrive later. Throws CommandError `refused` with the workflow's own words, `missing` without a workflow.
 */
export async function sendCommand(
  session: Session,
  ref: ComponentRef,
  command: ComponentCommand,
): Promise<CommandAnswer> {
  const client = await session.temporal();
  const component = formatComponentRef(ref);
  const handle = client.workflow.getHandle(componentWorkflowId(ref, session.hubId));
  const sent = { component, command: command.name } as const;
  try {
    const answer = await withProgress(session.terminal, `waiting for a worker to answer ${component}`, () =>
      client.withDeadline(Date.now() + updateTimeoutMs, () => update(handle, command)),
    );
    return { ...sent, sentAs: 'update', answer };
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) throw refused(component, error);
    if (error instanceof WorkflowNotFoundError) throw noWorkflow(component, error);
    if (!isTimeout(error)) throw error;
  }
  await signal(handle, command).catch((error: unknown) => {
    throw error instanceof WorkflowNotFoundError ? noWorkflow(component, error) : error;
  });
  const answer = 'no worker answered; it was sent as a signal and takes effect when a worker runs';
  return { ...sent, sentAs: 'signal', answer };
}

/** Who asks: as given, else the user of this machine. Shown to people, trusted by nobody. */
export function requesterOf(given: string | undefined): string {
  if (given !== undefined && given !== '') return given;
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

type Handle = WorkflowHandle;

function update(handle: Handle, command: ComponentCommand): Promise<string> {
  const { requestedBy, reason } = command;
  switch (command.name) {
    case 'sync':
      return handle.executeUpdate(messages.syncNowUpdate);
    case 'suspend':
      return handle.executeUpdate(messages.suspendUpdate, { args: [{ requestedBy, reason }] });
    case 'resume':
      return handle.executeUpdate(messages.resumeUpdate, { args: [{ requestedBy, reason }] });
    case 'forceCleanup':
      return handle.executeUpdate(messages.forceCleanupUpdate, { args: [{ requestedBy, reason }] });
  }
}

function signal(handle: Handle, command: ComponentCommand): Promise<void> {
  const { requestedBy, reason } = command;
  switch (command.name) {
    case 'sync':
      return handle.signal(messages.syncNow);
    case 'suspend':
      return handle.signal(messages.suspend, { requestedBy, reason });
    case 'resume':
      return handle.signal(messages.resume, { requestedBy, reason });
    case 'forceCleanup':
      return handle.signal(messages.forceCleanup, { requestedBy, reason });
  }
}

function refused(component: string, error: WorkflowUpdateFailedError): CommandError {
  return new CommandError('refused', `${component}: ${messageOf(error.cause ?? error)}`, error);
}

function noWorkflow(component: string, error: unknown): CommandError {
  return new CommandError(
    'missing',
    `${component} has no open workflow; check the name with knative-fleet status, and that the starter runs: it starts a ` +
      'missing workflow within 30 s',
    error,
  );
}

/** Nobody took the update before the deadline; names, since two copies of a class would differ. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowUpdateRPCTimeoutOrCancelledError';
}
