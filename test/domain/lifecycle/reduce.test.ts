import { describe, expect, test } from 'vitest';

import { decide } from '../../../domain/lifecycle/decide.ts';
import type { ComponentState, PassStep } from '../../../domain/lifecycle/component-state.ts';
import type { Message, Outcome } from '../../../domain/lifecycle/reduce.ts';
import {
  interrupted,
  interrupts,
  receive,
  reduce,
  refuseForceCleanup,
  starting,
} from '../../../domain/lifecycle/reduce.ts';
import {
  command,
  failureOf,
  finalizationWith,
  force,
  plan,
  readyState,
  stateWith,
  target,
} from '../../support/lifecycle-states.ts';

const changed = (generation: number, uid = 'uid-1'): Message => ({
  type: 'resourceChanged',
  uid,
  generation,
});
const deleted = (uid = 'uid-1'): Message => ({ type: 'resourceDeleted', uid });
const gone = (uid = 'uid-1'): Message => ({ type: 'resourceGone', uid });
const drift = { objects: ['ConfigMap ns/a was deleted'], count: 1 };
const drifted = (uid = 'uid-1', more: object = {}): Message => ({
  type: 'driftDetected',
  report: { uid, ...drift, ...more },
});
const health: Message = { type: 'healthChanged' };

describe('receive', () => {
  const cases: readonly (readonly [string, ComponentState, Message, Partial<ComponentState>])[] = [
    [
      'begins again for a newer generation',
      stateWith({ step: 'apply' }),
      changed(2),
      { generation: 2, step: undefined, lookAgain: true },
    ],
    ['looks again when a ready generation is announced again', readyState(), changed(1), { lookAgain: true }],
    [
      'looks again when a blocked generation is announced again',
      stateWith({ failure: failureOf('SpecInvalid', 'plan') }),
      changed(1),
      { lookAgain: true },
    ],
    [
      'keeps another UID as successor',
      readyState(),
      changed(1, 'uid-2'),
      { gone: true, lookAgain: true, successor: { uid: 'uid-2', generation: 1 } },
    ],
    [
      'learns a newer generation of the successor',
      readyState({ gone: true, lookAgain: true, successor: { uid: 'uid-2', generation: 1 } }),
      changed(3, 'uid-2'),
      { successor: { uid: 'uid-2', generation: 3 } },
    ],
    ['learns of a deletion', readyState(), deleted(), { deleting: true, lookAgain: true }],
    ['learns that the resource is gone', readyState(), gone(), { gone: true, lookAgain: true }],
    [
      'learns that it is gone from a sender that never saw it',
      readyState(),
      gone(''),
      { gone: true, lookAgain: true },
    ],
    ['looks again when asked', readyState(), { type: 'lookAgain' }, { lookAgain: true }],
    ['compares when the resync is due', readyState(), { type: 'resyncDue' }, { probe: true }],
    [
      'tries again what waits for a change when the resync is due',
      stateWith({ failure: failureOf('Paused', 'resolve') }),
      { type: 'resyncDue' },
      { lookAgain: true },
    ],
    [
      'forgets restarts when it hears something',
      stateWith({ restarts: 2 }),
      { type: 'lookAgain' },
      { restarts: 0, lookAgain: true },
    ],
    [
      'queues a command',
      readyState({ commands: [command] }),
      { type: 'command', command: { ...command, name: 'resume' } },
      { commands: [command, { ...command, name: 'resume' }] },
    ],
    [
      'begins a forced cleanup of a deleted resource',
      readyState({ deleting: true, notice: 'x' }),
      { type: 'command', command: force },
      { force, commands: [force], lookAgain: true, notice: '' },
    ],
    [
      'says why it refuses a forced cleanup',
      readyState(),
      { type: 'command', command: force },
      { notice: 'forceCleanup was ignored: nobody has deleted the resource; delete it first' },
    ],
    ['repairs drift of what is ready', readyState(), drifted(), { lookAgain: true, drift }],
    [
      'begins again when drift is told while workloads are waited for: a lost one would never come',
      readyState({ step: 'await' }),
      drifted(),
      { step: undefined, lookAgain: true, drift },
    ],
    [
      'says that repairs do not hold, until one does',
      readyState(),
      drifted('uid-1', { fight: 'it comes back' }),
      { lookAgain: true, drift, notice: 'it comes back' },
    ],
    [
      'no longer says that repairs do not hold',
      readyState({ notice: 'it comes back' }),
      drifted(),
      { lookAgain: true, drift, notice: '' },
    ],
    ['compares when the target came or went', readyState(), health, { probe: true }],
    [
      'compares again at once when the target answers again',
      readyState({ probe: true, failure: failureOf('SpokeUnreachable', 'probe') }),
      health,
      { failure: undefined },
    ],
    [
      'begins a failing pass again when the target answers again',
      readyState({ step: 'apply', failure: failureOf('SpokeUnreachable') }),
      health,
      { lookAgain: true },
    ],
  ];
  test.each(cases)('%s', (_name, state, message, changes) => {
    expect(receive(state, message)).toEqual({ ...state, ...changes });
  });

  const ignored: readonly (readonly [string, ComponentState, Message])[] = [
    ['the same generation while a pass runs', stateWith({ step: 'apply' }), changed(1)],
    ['the same generation before the first pass', stateWith(), changed(1)],
    ['an older generation', readyState({ generation: 3, readyGeneration: 3 }), changed(2)],
    [
      'the same generation while it is deleted',
      readyState({ deleting: true, failure: failureOf('Paused', 'finalize') }),
      changed(1),
    ],
    ['a deletion that it knows', readyState({ deleting: true }), deleted()],
    ['the deletion of another resource', readyState(), deleted('uid-0')],
    ['the end of another resource', readyState(), gone('uid-0')],
    ['the end that it knows', readyState({ gone: true }), gone()],
    [
      'a successor that it knows',
      readyState({ gone: true, successor: { uid: 'uid-2', generation: 2 } }),
      changed(1, 'uid-2'),
    ],
    ['drift of another resource', readyState(), drifted('uid-0')],
    ['drift while a pass applies, which puts it right', readyState({ step: 'apply' }), drifted()],
    ['drift before the first pass', stateWith(), drifted()],
    ['drift while it is held', readyState({ failure: failureOf('Paused', 'resolve') }), drifted()],
    ['drift while it is deleted', readyState({ deleting: true }), drifted()],
    ['a second forced cleanup', readyState({ deleting: true, force }), { type: 'command', command: force }],
  ];
  test.each(ignored)('ignores %s', (_name, state, message) => {
    expect(receive(state, message)).toBe(state);
  });
});

describe('refuseForceCleanup', () => {
  test.each([
    ['needs a deleted resource', readyState(), force, /delete it first/],
    ['needs a reason', readyState({ deleting: true }), { ...force, reason: '  ' }, /needs a reason/],
  ])('%s', (_name, state, wanted, refusal) => {
    expect(refuseForceCleanup(state, wanted)).toMatch(refusal);
  });

  test.each([readyState({ deleting: true }), readyState({ gone: true })])(
    'accepts one with a reason',
    (state) => {
      expect(refuseForceCleanup(state, force)).toBeUndefined();
    },
  );
});

describe('interrupts', () => {
  const failing = stateWith({ step: 'apply', failure: failureOf('SpokeUnreachable') });
  const cases: readonly (readonly [string, ComponentState, Message, boolean])[] = [
    ['a newer generation stops a step', stateWith({ step: 'apply' }), changed(2), true],
    ['a deletion stops a step', stateWith({ step: 'apply' }), deleted(), true],
    ['a deletion stops a patient step', failing, deleted(), true],
    ['the end of the resource stops a step', stateWith({ step: 'apply' }), gone(), true],
    [
      'a command stops a step, so that a hold begins at once',
      stateWith({ step: 'apply' }),
      { type: 'command', command },
      true,
    ],
    [
      'a command does not stop the recording of another one',
      stateWith({ commands: [command] }),
      { type: 'command', command },
      false,
    ],
    [
      'a nudge waits for the end of a step that goes well',
      stateWith({ step: 'apply' }),
      { type: 'lookAgain' },
      false,
    ],
    ['a nudge stops a patient step', failing, { type: 'lookAgain' }, true],
    ['a nudge stops a finalization', readyState({ deleting: true }), { type: 'lookAgain' }, true],
    [
      'a forced cleanup stops a finalization',
      readyState({ deleting: true }),
      { type: 'command', command: force },
      true,
    ],
    ['drift stops a wait for workloads', readyState({ step: 'await' }), drifted(), true],
    [
      'the return of the target stops a patient comparison',
      readyState({ probe: true, failure: failureOf('SpokeUnreachable', 'probe') }),
      health,
      true,
    ],
    ['a refused forced cleanup stops nothing', failing, { type: 'command', command: force }, false],
    ['a repeated deletion does not stop a finalization', readyState({ deleting: true }), deleted(), false],
    ['a doubled message does not stop a step', stateWith({ step: 'apply' }), changed(1), false],
  ];
  test.each(cases)('%s', (_name, before, message, stops) => {
    expect(interrupts(before, receive(before, message))).toBe(stops);
  });
});

describe('interrupted', () => {
  test('begins the pass again and keeps everything else', () => {
    const state = readyState({ step: 'apply', failure: failureOf('SpokeUnreachable'), lookAgain: true });
    expect(interrupted(state)).toEqual({ ...state, step: undefined });
  });
});

describe('starting', () => {
  test('a pass answers the wishes to look again that came before', () => {
    expect(starting(readyState({ lookAgain: true }), 'resolve')).toEqual(readyState({ step: 'resolve' }));
  });

  test.each(['finalize', 'probe', 'recordAbandonment', 'releaseFinalizer'])('%s answers them too', (step) => {
    expect(starting(readyState({ lookAgain: true }), step).lookAgain).toBe(false);
  });

  test.each(['apply', 'report', 'recordCommand'])('%s leaves them for the next pass', (step) => {
    const state = readyState({ lookAgain: true });
    expect(starting(state, step)).toBe(state);
  });
});

describe('reduce', () => {
  const failing = { failure: failureOf('SpokeUnreachable') };
  const claim = { anchorUID: 'anchor-1' };
  const result = { removed: 3, pending: 2, blockers: ['x'], now: 2_000 };
  const cases: readonly (readonly [string, ComponentState, Outcome, Partial<ComponentState>])[] = [
    [
      'plans for a resolved target',
      stateWith({ ...failing, probe: true }),
      { type: 'resolved', target },
      { target, step: 'plan', failure: undefined, probe: false },
    ],
    ['claims for a plan', stateWith({ step: 'plan' }), { type: 'planned', plan }, { plan, step: 'claim' }],
    [
      'applies with a claim',
      stateWith({ step: 'claim' }),
      { type: 'claimed', claim },
      { claim, step: 'apply' },
    ],
    [
      'observes what was applied',
      stateWith({ ...failing, step: 'apply' }),
      { type: 'applied', obsolete: undefined },
      { step: 'await', failure: undefined },
    ],
    [
      'goes on waiting while workloads are missing',
      stateWith({ step: 'await' }),
      { type: 'observed', ready: false, waitingFor: ['a'] },
      { waitingFor: ['a'] },
    ],
    [
      'prunes once workloads are ready',
      stateWith({ step: 'await', waitingFor: ['a'] }),
      { type: 'observed', ready: true, waitingFor: [] },
      { waitingFor: [], step: 'prune' },
    ],
    ['reports after pruning', stateWith({ step: 'prune' }), { type: 'pruned' }, { step: 'report' }],
    [
      'is ready at the generation that was reported',
      stateWith({ step: 'report', restarts: 2 }),
      { type: 'reported', generation: 1 },
      { step: undefined, readyGeneration: 1, restarts: 0 },
    ],
    [
      'is not ready at a generation that came after the report began',
      stateWith({ generation: 2 }),
      { type: 'reported', generation: 1 },
      { readyGeneration: 1 },
    ],
    [
      'looks again when the target drifted',
      readyState({ probe: true }),
      { type: 'probed', drifted: true },
      { probe: false, lookAgain: true },
    ],
    [
      'is content when the target did not drift',
      readyState({ probe: true }),
      { type: 'probed', drifted: false },
      { probe: false },
    ],
    [
      'keeps a wish to look that came during a comparison',
      readyState({ probe: true, lookAgain: true }),
      { type: 'probed', drifted: false },
      { probe: false },
    ],
    [
      'keeps what a finalization did',
      readyState({ deleting: true }),
      { type: 'finalized', outcome: 'clean', ...result },
      { finalization: { since: 2_000, removed: 3, pending: 2, blockers: ['x'], outcome: 'clean' } },
    ],
    [
      'adds up the rounds of a finalization',
      readyState({ deleting: true, finalization: finalizationWith('running') }),
      { type: 'finalized', outcome: 'abandoned', ...result },
      { finalization: { since: 1_000, removed: 7, pending: 2, blockers: ['x'], outcome: 'abandoned' } },
    ],
    [
      'counts as abandoned what was recorded so',
      readyState({ gone: true }),
      { type: 'abandonmentRecorded', now: 2_000 },
      { finalization: { since: 2_000, removed: 0, pending: 0, blockers: [], outcome: 'abandoned' } },
    ],
    [
      'counts no removal twice',
      readyState({ gone: true, finalization: finalizationWith('running') }),
      { type: 'abandonmentRecorded', now: 2_000 },
      { finalization: finalizationWith('abandoned') },
    ],
    [
      'is gone once the finalizer is released',
      readyState({ deleting: true, finalization: finalizationWith('retained') }),
      { type: 'finalizerReleased' },
      { gone: true },
    ],
    [
      'looks again after a command was recorded',
      readyState({ commands: [command, force] }),
      { type: 'commandRecorded' },
      { commands: [force], lookAgain: true },
    ],
  ];
  test.each(cases)('%s', (_name, state, outcome, changes) => {
    expect(reduce(state, outcome)).toEqual({ ...state, ...changes });
  });

  test('keeps the step of a failure that is tried again', () => {
    const failure = failureOf('SpokeUnreachable', 'await');
    const state = stateWith({ step: 'await' });
    expect(reduce(state, { type: 'failed', failure })).toEqual({ ...state, failure });
  });

  test('keeps the time of the first failure of a kind in a row', () => {
    const state = stateWith({ step: 'apply', failure: failureOf('SpokeUnreachable', 'resolve', 1_000) });
    const again = reduce(state, { type: 'failed', failure: failureOf('SpokeUnreachable', 'apply', 9_000) });
    expect(again.failure).toEqual(failureOf('SpokeUnreachable', 'apply', 1_000));
    const other = reduce(state, { type: 'failed', failure: failureOf('ApplyRejected', 'apply', 9_000) });
    expect(other.failure?.since).toBe(9_000);
  });

  test('drops the step of a failure that needs a change', () => {
    const failure = failureOf('SpecInvalid', 'plan');
    const state = reduce(stateWith({ step: 'plan' }), { type: 'failed', failure });
    expect(state).toEqual(stateWith({ failure }));
    expect(decide(state)).toEqual({ do: 'wait' });
  });

  test.each(['Superseded', 'PlanChanged', 'ResourceGone'] as const)(
    'begins again at once after %s, but not for ever',
    (kind) => {
      const failed: Outcome = { type: 'failed', failure: failureOf(kind) };
      const restarted = reduce(stateWith({ step: 'apply' }), failed);
      expect(restarted).toEqual(stateWith({ lookAgain: true, restarts: 1 }));
      expect(decide(fruitlessPasses(restarted, failed, 5))).toEqual({ do: 'wait' });
    },
  );

  test('a command that cannot be recorded is dropped, and says why', () => {
    const failure = failureOf('ResourceGone', 'recordCommand');
    const state = reduce(readyState({ commands: [command, force] }), { type: 'failed', failure });
    expect(state.commands).toEqual([force]);
    expect(state.notice).toBe('suspend could not be recorded: ResourceGone in recordCommand');
  });

  test('takes a deletion back that the hub does not confirm', () => {
    const state = readyState({ deleting: true, force });
    const failure = failureOf('Superseded', 'finalize');
    expect(reduce(state, { type: 'failed', failure })).toEqual(readyState({ lookAgain: true }));
  });

  test('takes the end of a resource back that is still there', () => {
    const state = readyState({ gone: true, successor: { uid: 'uid-0', generation: 1 } });
    const failure = failureOf('Superseded', 'recordAbandonment');
    expect(reduce(state, { type: 'failed', failure })).toEqual(readyState({ lookAgain: true }));
  });

  test('prunes nothing where the apply found nothing obsolete', () => {
    const ready: Outcome = { type: 'observed', ready: true, waitingFor: [] };
    const stepAfter = (obsolete: number | undefined) =>
      reduce(reduce(stateWith({ step: 'apply' }), { type: 'applied', obsolete }), ready).step;
    expect([stepAfter(0), stepAfter(1), stepAfter(undefined)]).toEqual(['report', 'prune', 'prune']);
  });

  test('runs all steps of a pass in order', () => {
    const outcomes: readonly Outcome[] = [
      { type: 'resolved', target },
      { type: 'planned', plan },
      { type: 'claimed', claim },
      { type: 'applied', obsolete: undefined },
      { type: 'observed', ready: true, waitingFor: [] },
      { type: 'pruned' },
      { type: 'reported', generation: 1 },
    ];
    const steps: (PassStep | undefined)[] = [];
    let state = starting(stateWith(), 'resolve');
    for (const outcome of outcomes) {
      steps.push(state.step);
      state = reduce(state, outcome);
    }
    expect(steps).toEqual(['resolve', 'plan', 'claim', 'apply', 'await', 'prune', 'report']);
    expect(decide(state)).toEqual({ do: 'wait' });
  });
});

describe('a flood of commands', () => {
  const resume = { ...command, name: 'resume' as const };
  const flooded = Array.from({ length: 3_000 }, (_, index) => index).reduce(
    (state, index) =>
      receive(state, { type: 'command', command: { ...resume, reason: `number ${String(index)}` } }),
    readyState({ commands: [command, force], force, deleting: true }),
  );

  test('is kept within what one run can hand to the next, and says what was dropped', () => {
    expect(flooded.commands).toHaveLength(1_000);
    expect(flooded.notice).toContain('the oldest of them were dropped');
  });

  test('takes neither the command under way, nor a forced cleanup, nor the last word', () => {
    expect(flooded.commands.slice(0, 2)).toEqual([command, force]);
    expect(flooded.commands.at(-1)?.reason).toBe('number 2999');
  });
});

function fruitlessPasses(state: ComponentState, outcome: Outcome, passes: number): ComponentState {
  let next = state;
  for (let pass = 0; pass < passes; pass++) {
    const decision = decide(next);
    if (decision.do !== 'run') return next;
    next = reduce(reduce(starting(next, decision.step), { type: 'resolved', target }), outcome);
  }
  return next;
}
