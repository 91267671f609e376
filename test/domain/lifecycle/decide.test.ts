import { describe, expect, test } from 'vitest';

import type { ComponentState, Phase } from '../../../domain/lifecycle/component-state.ts';
import { passSteps } from '../../../domain/lifecycle/component-state.ts';
import type { Decision } from '../../../domain/lifecycle/decide.ts';
import { decide, phaseOf } from '../../../domain/lifecycle/decide.ts';
import {
  command,
  failureOf,
  finalizationWith,
  force,
  readyState,
  stateWith,
} from '../../support/lifecycle-states.ts';

const wait: Decision = { do: 'wait' };
const quick = (step: string) => ({ do: 'run', step, patient: false }) as Decision;
const patient = (step: string) => ({ do: 'run', step, patient: true }) as Decision;

const cases: readonly (readonly [string, ComponentState, Decision, Phase])[] = [
  ['begins a pass for a new resource', stateWith(), quick('resolve'), 'Pending'],
  ['waits when the generation is ready', readyState(), wait, 'Ready'],
  ['begins a pass for a newer generation', readyState({ generation: 2 }), quick('resolve'), 'Resolving'],
  ['begins a pass when somebody asks', readyState({ lookAgain: true }), quick('resolve'), 'Resolving'],
  [
    'repairs drift',
    readyState({ lookAgain: true, drift: { objects: ['x'], count: 1 } }),
    quick('resolve'),
    'Drifted',
  ],
  [
    'installs what drifted',
    readyState({ step: 'apply', drift: { objects: ['x'], count: 1 } }),
    quick('apply'),
    'Installing',
  ],
  ['compares when the resync is due', readyState({ probe: true }), quick('probe'), 'Ready'],
  [
    'prefers a full pass to a comparison',
    readyState({ probe: true, lookAgain: true }),
    quick('resolve'),
    'Resolving',
  ],
  [
    'records a command before the pass goes on',
    readyState({ step: 'apply', commands: [command] }),
    quick('recordCommand'),
    'Pending',
  ],
  ['goes on with the step of the pass', stateWith({ step: 'await' }), quick('await'), 'Waiting'],
  ['shows an apply as installing', stateWith({ step: 'apply' }), quick('apply'), 'Installing'],
  [
    'is patient with the step that failed',
    stateWith({ step: 'apply', failure: failureOf('SpokeUnreachable') }),
    patient('apply'),
    'Blocked',
  ],
  [
    'resolves at once when a message arrives while a step fails',
    stateWith({ step: 'apply', failure: failureOf('SpokeUnreachable'), lookAgain: true }),
    quick('resolve'),
    'Blocked',
  ],
  [
    'waits for a correction of the resource',
    stateWith({ failure: failureOf('SpecInvalid', 'plan') }),
    wait,
    'Blocked',
  ],
  [
    'tries again once the resource changed',
    stateWith({ failure: failureOf('SpecInvalid', 'plan'), lookAgain: true }),
    quick('resolve'),
    'Blocked',
  ],
  [
    'waits while a person holds it',
    stateWith({ failure: failureOf('Paused', 'resolve') }),
    wait,
    'Suspended',
  ],
  [
    'waits when passes had to begin again too often',
    stateWith({ restarts: 3, failure: failureOf('PlanChanged') }),
    wait,
    'Blocked',
  ],
  [
    'records a command while it waits for a correction',
    stateWith({ failure: failureOf('SpecInvalid', 'plan'), commands: [command] }),
    quick('recordCommand'),
    'Blocked',
  ],
  ['finalizes a deleted resource', readyState({ deleting: true }), quick('finalize'), 'Finalizing'],
  [
    'finalizes instead of going on with a pass',
    stateWith({ deleting: true, lookAgain: true, step: 'apply', failure: failureOf('SpecInvalid', 'plan') }),
    quick('finalize'),
    'Finalizing',
  ],
  [
    'is patient with a blocked finalization',
    readyState({ deleting: true, failure: failureOf('FinalizationBlocked', 'finalize') }),
    patient('finalize'),
    'Finalizing',
  ],
  [
    'waits while a person holds the finalization',
    readyState({ deleting: true, failure: failureOf('Paused', 'finalize') }),
    wait,
    'Finalizing',
  ],
  [
    'finalizes again after a forced cleanup was asked for',
    readyState({ deleting: true, lookAgain: true, force, failure: failureOf('Paused', 'finalize') }),
    patient('finalize'),
    'Finalizing',
  ],
  ...(['clean', 'abandoned', 'retained'] as const).map(
    (outcome) =>
      [
        `releases the finalizer after a finalization that ended ${outcome}`,
        readyState({ deleting: true, finalization: finalizationWith(outcome) }),
        quick('releaseFinalizer'),
        'Finalizing',
      ] as const,
  ),
  [
    'does not release the finalizer while the finalization runs',
    readyState({ deleting: true, finalization: finalizationWith('running') }),
    quick('finalize'),
    'Finalizing',
  ],
  [
    'records what a resource left behind that vanished',
    readyState({ gone: true }),
    quick('recordAbandonment'),
    'Finalizing',
  ],
  [
    'records it as well when it vanished in the middle of its finalization',
    readyState({ gone: true, deleting: true, finalization: finalizationWith('running') }),
    quick('recordAbandonment'),
    'Finalizing',
  ],
  [
    'waits when what stays behind cannot be recorded',
    readyState({ gone: true, failure: failureOf('SpecInvalid', 'recordAbandonment') }),
    wait,
    'Finalizing',
  ],
  [
    'ends Finalized once the resource is gone after a clean finalization',
    readyState({ gone: true, deleting: true, finalization: finalizationWith('clean') }),
    { do: 'complete', outcome: 'Finalized' },
    'Finalized',
  ],
  [
    'ends Finalized when everything was retained',
    readyState({ gone: true, deleting: true, finalization: finalizationWith('retained') }),
    { do: 'complete', outcome: 'Finalized' },
    'Finalized',
  ],
  [
    'ends Abandoned when something was given up, unrecorded commands or not',
    readyState({ gone: true, commands: [command], finalization: finalizationWith('abandoned') }),
    { do: 'complete', outcome: 'Abandoned' },
    'Abandoned',
  ],
];

describe('decide', () => {
  test.each(cases)('%s', (_name, state, decision) => {
    expect(decide(state)).toEqual(decision);
  });

  test.each(passSteps)('goes on with step %s where it is', (step) => {
    expect(decide(stateWith({ step }))).toEqual(quick(step));
  });
});

describe('phaseOf', () => {
  test.each(cases)('tells the phase of a state that %s', (_name, state, _decision, phase) => {
    expect(phaseOf(state)).toBe(phase);
  });
});
