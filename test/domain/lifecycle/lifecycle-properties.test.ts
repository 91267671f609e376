import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ErrorKind } from '../../../domain/errors.ts';
import type { ComponentState, WorkStep } from '../../../domain/lifecycle/component-state.ts';
import { initialState } from '../../../domain/lifecycle/component-state.ts';
import { decide, phaseOf } from '../../../domain/lifecycle/decide.ts';
import type { Message, Outcome } from '../../../domain/lifecycle/reduce.ts';
import { interrupted, interrupts, receive, reduce, starting } from '../../../domain/lifecycle/reduce.ts';
import { failureReasons } from '../../../domain/status/reasons.ts';
import { plan, target } from '../../support/lifecycle-states.ts';

/** One turn of the workflow: what is heard before the step, what is heard while it runs, and how it ends. */
interface Turn {
  readonly before: readonly Message[];
  readonly during: readonly Message[];
  readonly failure: ErrorKind | undefined;
  readonly ending: 'running' | 'clean' | 'abandoned' | 'retained';
  readonly good: boolean;
}

const uid = fc.constantFrom('uid-1', 'uid-2');
const requester = fc.record({ requestedBy: fc.constant('ann'), reason: fc.constantFrom('', 'lost') });
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    type: fc.constant('resourceChanged' as const),
    uid,
    generation: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ type: fc.constant('resourceDeleted' as const), uid }),
  fc.record({ type: fc.constant('resourceGone' as const), uid: fc.constantFrom('uid-1', 'uid-2', '') }),
  fc.constant({ type: 'lookAgain' as const }),
  fc.constant({ type: 'resyncDue' as const }),
  fc.constant({ type: 'healthChanged' as const }),
  uid.map((of) => ({ type: 'driftDetected' as const, report: { uid: of, objects: ['a'], count: 1 } })),
  fc
    .tuple(fc.constantFrom('forceCleanup' as const, 'suspend' as const, 'resume' as const), requester)
    .map(([name, by]) => ({ type: 'command' as const, command: { name, ...by } })),
);
const kinds = Object.keys(failureReasons) as ErrorKind[];
const turn: fc.Arbitrary<Turn> = fc.record({
  before: fc.array(message, { maxLength: 2 }),
  during: fc.array(message, { maxLength: 2 }),
  failure: fc.option(fc.constantFrom(...kinds), { nil: undefined }),
  ending: fc.constantFrom('running', 'clean', 'abandoned', 'retained'),
  good: fc.boolean(),
});
const turns = fc.array(turn, { maxLength: 40 });

const successes: Readonly<Record<WorkStep, (state: ComponentState, turn: Turn) => Outcome>> = {
  resolve: () => ({ type: 'resolved', target }),
  plan: () => ({ type: 'planned', plan }),
  claim: () => ({ type: 'claimed', claim: { anchorUID: 'anchor-1' } }),
  apply: () => ({ type: 'applied', obsolete: undefined }),
  await: (_state, { good }) => ({ type: 'observed', ready: good, waitingFor: good ? [] : ['a'] }),
  prune: () => ({ type: 'pruned' }),
  report: ({ generation }) => ({ type: 'reported', generation }),
  probe: (_state, { good }) => ({ type: 'probed', drifted: !good }),
  finalize: (_state, { ending }) => ({
    type: 'finalized',
    outcome: ending,
    removed: 1,
    pending: 0,
    blockers: [],
    now: 1,
  }),
  recordAbandonment: () => ({ type: 'abandonmentRecorded', now: 1 }),
  releaseFinalizer: () => ({ type: 'finalizerReleased' }),
  recordCommand: () => ({ type: 'commandRecorded' }),
};

/** Does what the workflow does in one turn of its loop. */
function advance(
  state: ComponentState,
  { before, during, ...how }: Turn,
  onStep: (step: WorkStep, begun: ComponentState) => void = () => undefined,
): ComponentState {
  const heard = before.reduce(receive, state);
  const decision = decide(heard);
  if (decision.do !== 'run') return heard;
  const begun = starting(heard, decision.step);
  onStep(decision.step, begun);
  const after = during.reduce(receive, begun);
  if (interrupts(begun, after)) return interrupted(after);
  const { failure: kind } = how;
  const outcome: Outcome =
    kind === undefined
      ? successes[decision.step](begun, { before, during, ...how })
      : { type: 'failed', failure: { kind, step: decision.step, message: kind, since: 1 } };
  return reduce(after, outcome);
}

const stepsOfEnding: ReadonlySet<WorkStep> = new Set<WorkStep>([
  'finalize',
  'releaseFinalizer',
  'recordAbandonment',
  'recordCommand',
]);

const quiet: Turn = { before: [], during: [], failure: undefined, ending: 'clean', good: true };

/** Advances without messages until the workflow waits or ends; returns the steps that it took. */
function settle(state: ComponentState, how: Turn, limit = 60): { state: ComponentState; steps: WorkStep[] } {
  const steps: WorkStep[] = [];
  let next = state;
  while (decide(next).do === 'run' && steps.length < limit) {
    next = advance(next, how, (step) => steps.push(step));
  }
  return { state: next, steps };
}

function play(
  all: readonly Turn[],
  onStep?: (step: WorkStep, begun: ComponentState) => void,
): ComponentState {
  return all.reduce((state, each) => advance(state, each, onStep), initialState('uid-1', 1));
}

describe('a component, whatever it hears and whatever fails', () => {
  test('always has one decision and one phase', () => {
    fc.assert(
      fc.property(turns, (all) => {
        let state = initialState('uid-1', 1);
        for (const each of all) {
          state = advance(state, each);
          expect(['run', 'wait', 'complete']).toContain(decide(state).do);
          expect(phaseOf(state)).not.toBe('');
        }
      }),
    );
  });

  test('ends waiting or done once nothing fails and nobody speaks', () => {
    fc.assert(
      fc.property(turns, (all) => {
        const { state } = settle(play(all), quiet);
        expect(decide(state).do).not.toBe('run');
        const content = decide(state).do === 'wait' && state.failure === undefined;
        expect(content ? state.readyGeneration : state.generation).toBe(state.generation);
      }),
    );
  });

  test('never loops on a failure that another try cannot heal', () => {
    const hopeless = kinds.filter((kind) => ['wait', 'restart'].includes(failureReasons[kind].retry));
    fc.assert(
      fc.property(turns, fc.constantFrom(...hopeless), (all, failure) => {
        const { state, steps } = settle(play(all), { ...quiet, failure });
        expect(decide(state).do).not.toBe('run');
        expect(steps.filter((step) => step !== 'recordCommand').length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('is patient from the second try on with everything that fails again and again', () => {
    const transient = kinds.filter((kind) => ['retry', 'bug'].includes(failureReasons[kind].retry));
    fc.assert(
      fc.property(turns, fc.constantFrom(...transient), (all, failure) => {
        const state = settle(play(all), { ...quiet, failure }, 4).state;
        const decision = decide(state);
        expect(decision.do !== 'run' || decision.patient).toBe(true);
      }),
    );
  });

  test('is never ready at a generation that no whole pass served', () => {
    fc.assert(
      fc.property(turns, (all) => {
        let served = 0;
        let state = initialState('uid-1', 1);
        const wrong: string[] = [];
        for (const each of all) {
          const known = state.readyGeneration;
          let reporting = false;
          state = advance(state, each, (step, { generation }) => {
            if (step === 'resolve') served = generation;
            reporting = step === 'report' && generation === served;
          });
          const { readyGeneration } = state;
          if (readyGeneration !== known && !(reporting && readyGeneration === served)) {
            wrong.push(`ready at ${String(readyGeneration)}, served was ${String(served)}`);
          }
        }
        expect(wrong).toEqual([]);
      }),
    );
  });

  test('releases the finalizer only after a removal that ended, and writes to no target after a deletion', () => {
    fc.assert(
      fc.property(turns, (all) => {
        const wrong: string[] = [];
        play(all, (step, { finalization, deleting, gone }) => {
          const ended = finalization !== undefined && finalization.outcome !== 'running';
          if (step === 'releaseFinalizer' && !ended) wrong.push('released before the removal ended');
          if ((deleting || gone) && !stepsOfEnding.has(step)) wrong.push(`${step} after the deletion`);
        });
        expect(wrong).toEqual([]);
      }),
    );
  });

  test('a deletion that nothing hinders leads through the removal to the release, in this order', () => {
    const alive = turns.filter((all) => !play(all).gone && play(all).finalization === undefined);
    fc.assert(
      fc.property(alive, (all) => {
        const deleted = receive(play(all), { type: 'resourceDeleted', uid: 'uid-1' });
        const { state, steps } = settle({ ...deleted, lookAgain: true }, quiet);
        expect(steps.filter((step) => step !== 'recordCommand')).toEqual(['finalize', 'releaseFinalizer']);
        expect(decide(state)).toEqual({ do: 'complete', outcome: 'Finalized' });
      }),
    );
  });

  test('ends the same when every message comes twice', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
        const noCommands = messages.filter(({ type }) => type !== 'command');
        const once = noCommands.reduce(receive, initialState('uid-1', 1));
        const twice = noCommands.flatMap((each) => [each, each]).reduce(receive, initialState('uid-1', 1));
        expect(twice).toEqual(once);
      }),
    );
  });
});
