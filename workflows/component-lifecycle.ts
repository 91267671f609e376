import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';

import { initialState } from '../domain/lifecycle/component-state.ts';
import { decide, phaseOf } from '../domain/lifecycle/decide.ts';
import type { Decision } from '../domain/lifecycle/decide.ts';
import { idleHours, idleSpread } from '../domain/lifecycle/idle-intervals.ts';
import { interrupted, interrupts, reduce, starting } from '../domain/lifecycle/reduce.ts';
import type { ComponentRun } from './component-run.ts';
import { createRun } from './component-run.ts';
import { renderDetails } from './current-details.ts';
import { handleMessages } from './message-handlers.ts';
import type { ComponentInput } from './messages.ts';
import { runStep } from './run-step.ts';
import { searchAttributesOf } from './search-attributes.ts';

/**
 * One resource from its creation until everything of it is gone: handlers only change the state, this loop does all the
 * work. The state is a cache; a lost run is rebuilt from the resource, the claim and the inventory.
 */
export async function componentLifecycle(input: ComponentInput): Promise<string> {
  const run = createRun(input);
  handleMessages(run);
  const root = CancellationScope.current();
  // Cancel in the UI means suspend: the loop goes on, and the request is served as a command.
  root.cancelRequested.catch(() => {
    const command = {
      name: 'suspend',
      requestedBy: 'cancel request',
      reason: 'cancelled in Temporal',
    } as const;
    run.send({ type: 'command', command });
  });
  return CancellationScope.nonCancellable(() => loop(run));
}

async function loop(run: ComponentRun): Promise<string> {
  for (;;) {
    show(run);
    const decision = decide(run.state);
    switch (decision.do) {
      case 'run':
        await work(run, decision);
        break;
      case 'wait':
        await waitForWork(run, decision);
        break;
      case 'complete':
        if (run.state.successor === undefined) return decision.outcome;
        await next(run);
    }
    if (workflowInfo().continueAsNewSuggested) await next(run);
  }
}

/** Runs one step; a message that matters stops it, and what it brought back is then dropped. */
async function work(run: ComponentRun, decision: Extract<Decision, { do: 'run' }>): Promise<void> {
  run.state = starting(run.state, decision.step);
  const before = run.state;
  const scope = new CancellationScope();
  run.onMessage = () => {
    if (interrupts(before, run.state)) scope.cancel();
  };
  try {
    const outcome = await scope.run(() => runStep(run.input.ref, before, decision));
    run.state = interrupts(before, run.state) ? interrupted(run.state) : reduce(run.state, outcome);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    run.state = interrupted(run.state);
  } finally {
    run.onMessage = undefined;
  }
}

async function waitForWork(run: ComponentRun, decision: Decision): Promise<void> {
  const jitter = idleSpread(Math.random());
  // A command that was refused wakes nobody, but people look here for why.
  run.onMessage = once(() => showDetails(run));
  const hours = run.state.failure === undefined ? idleHours.comparison : idleHours.comparisonAfterFailure;
  const due = Math.min(hours * 3_600_000 * jitter, untilDue(run));
  // Messages that change nothing grow the history all the same.
  const changed = (): boolean =>
    decide(run.state).do !== decision.do || workflowInfo().continueAsNewSuggested;
  const woken = await condition(changed, due, { summary: 'compare the target with the inventory' });
  run.onMessage = undefined;
  if (!woken) run.send({ type: 'resyncDue' });
}

/** However often it is called while one activation is served, it acts once, at the end of that. */
function once(act: () => void): () => void {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    void Promise.resolve().then(() => {
      pending = false;
      act();
    });
  };
}

/** Time until what the present failure waits for, at least a moment. */
function untilDue({ state }: ComponentRun): number {
  const dueAt = state.failure?.dueAt;
  return dueAt === undefined ? Infinity : Math.max(1_000, dueAt - Date.now());
}

/**
 * Continues as new without losing a message: handlers are drained first, and the state is read after that. An ended
 * component makes way for its successor.
 */
async function next(run: ComponentRun): Promise<never> {
  await condition(allHandlersFinished);
  const { successor } = run.state;
  const ended = decide(run.state).do === 'complete' && successor !== undefined;
  const state = ended ? initialState(successor.uid, successor.generation) : run.state;
  const { uid, generation } = state;
  return continueAsNew<typeof componentLifecycle>({ ref: run.input.ref, uid, generation, state });
}

function showDetails(run: ComponentRun): void {
  setCurrentDetails(renderDetails(run.input.ref, run.state));
}

function show(run: ComponentRun): void {
  showDetails(run);
  const attributes = searchAttributesOf(run.state, phaseOf(run.state));
  const text = JSON.stringify(attributes.map(({ value }) => value));
  if (text === run.shown) return;
  run.shown = text;
  upsertSearchAttributes(attributes);
}
