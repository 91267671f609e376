import { describe, expect, test } from 'vitest';

import type { Condition, Conditions } from '../../../domain/status/conditions.ts';
import {
  dependentConditions,
  findCondition,
  initializeConditions,
  markFalse,
  markInstallSucceeded,
  markTrue,
  markUnknown,
  removeCondition,
  setInformational,
} from '../../../domain/status/conditions.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const fresh = initializeConditions([], at(0));
const ready = dependentConditions.reduce<Conditions>((list, type) => markTrue(list, type, at(1)), fresh);

const statusOf = (conditions: Conditions, type: string) => findCondition(conditions, type)?.status;
const timeOf = (conditions: Conditions, type: string) => findCondition(conditions, type)?.lastTransitionTime;
const view = (conditions: Conditions) =>
  Object.fromEntries(
    conditions.map(({ type, status, reason, message }) => [
      type,
      [status, reason, message].filter((part) => part !== undefined).join('|'),
    ]),
  );

const notReady = {
  type: 'TargetClusterResolved',
  reason: 'ClusterProfileNotReady',
  message: 'c1 is down',
} as const;
const waiting = {
  type: 'DeploymentsAvailable',
  reason: 'NotReady',
  message: 'Waiting on deployments: webhook',
} as const;

describe('initializeConditions', () => {
  test('makes Ready and all five dependents Unknown on an empty status, sorted by type', () => {
    expect(fresh.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'DependenciesInstalled=Unknown',
      'DeploymentsAvailable=Unknown',
      'InstallSucceeded=Unknown',
      'Ready=Unknown',
      'TargetClusterResolved=Unknown',
      'VersionMigrationEligible=Unknown',
    ]);
  });

  test('adds a dependent as True to a resource that an older operator made Ready', () => {
    const old = ready.filter(({ type }) => type !== 'TargetClusterResolved');
    const initialized = initializeConditions(old, at(9));
    expect(statusOf(initialized, 'TargetClusterResolved')).toBe('True');
    expect(timeOf(initialized, 'TargetClusterResolved')).toBe(at(9));
    expect(statusOf(initialized, 'Ready')).toBe('True');
  });

  test('adds a dependent as Unknown to a resource that is not Ready and leaves Ready alone', () => {
    const old = markFalse(fresh, waiting, at(1)).filter(({ type }) => type !== 'TargetClusterResolved');
    const initialized = initializeConditions(old, at(9));
    expect(statusOf(initialized, 'TargetClusterResolved')).toBe('Unknown');
    expect(findCondition(initialized, 'Ready')).toEqual(findCondition(old, 'Ready'));
  });

  test('changes nothing the second time', () => {
    expect(initializeConditions(fresh, at(5))).toEqual(fresh);
    expect(initializeConditions(ready, at(5))).toEqual(ready);
  });

  test('sorts a list that somebody else stored in another order', () => {
    const stored: Conditions = [
      { type: 'Ready', status: 'Unknown' },
      { type: 'DeploymentsAvailable', status: 'Unknown' },
    ];
    const types = initializeConditions(stored, at(0)).map(({ type }) => type);
    expect(types).toEqual(types.toSorted());
  });
});

describe('markTrue', () => {
  test('makes Ready True with the last of the dependents and not before', () => {
    let conditions = fresh;
    for (const [index, type] of dependentConditions.entries()) {
      expect(statusOf(conditions, 'Ready')).not.toBe('True');
      conditions = markTrue(conditions, type, at(index + 1));
    }
    expect(findCondition(conditions, 'Ready')).toEqual({
      type: 'Ready',
      status: 'True',
      lastTransitionTime: at(dependentConditions.length),
    });
  });

  test('drops reason and message of the condition', () => {
    const failed = markFalse(fresh, waiting, at(1));
    expect(findCondition(markTrue(failed, 'DeploymentsAvailable', at(2)), 'DeploymentsAvailable')).toEqual({
      type: 'DeploymentsAvailable',
      status: 'True',
      lastTransitionTime: at(2),
    });
  });

  test('copies to Ready the False dependent that changed last', () => {
    let conditions = markFalse(ready, { type: 'InstallSucceeded', reason: 'Error', message: 'first' }, at(2));
    conditions = markFalse(conditions, waiting, at(3));
    conditions = markFalse(conditions, notReady, at(4));
    conditions = markTrue(conditions, 'TargetClusterResolved', at(5));
    expect(view(conditions)['Ready']).toBe('False|NotReady|Waiting on deployments: webhook');
  });

  test('compares transition times as times, with and without fractions of a second', () => {
    const stored: Conditions = [
      { type: 'DependenciesInstalled', status: 'True' },
      { ...waiting, status: 'False', lastTransitionTime: '2026-01-01T00:00:01Z' },
      { ...notReady, status: 'False', lastTransitionTime: '2026-01-01T00:00:01.500Z' },
      { type: 'InstallSucceeded', status: 'Unknown' },
      { type: 'VersionMigrationEligible', status: 'True' },
    ];
    expect(view(markTrue(stored, 'InstallSucceeded', at(2)))['Ready']).toBe(
      'False|ClusterProfileNotReady|c1 is down',
    );
  });

  test('prefers a False dependent to a newer Unknown one', () => {
    let conditions = markFalse(ready, waiting, at(2));
    conditions = markUnknown(
      conditions,
      { type: 'InstallSucceeded', reason: 'Pending', message: 'soon' },
      at(3),
    );
    conditions = markTrue(conditions, 'TargetClusterResolved', at(4));
    expect(view(conditions)['Ready']).toBe('False|NotReady|Waiting on deployments: webhook');
  });

  test('leaves Ready Unknown while a dependent is absent', () => {
    const some = markTrue([], 'InstallSucceeded', at(1));
    expect(view(some)).toEqual({ InstallSucceeded: 'True', Ready: 'Unknown' });
  });

  test('keeps every transition time when nothing changes', () => {
    expect(markTrue(ready, 'InstallSucceeded', at(9))).toEqual(ready);
  });
});

describe('markFalse', () => {
  test('writes the same status, reason and message on Ready', () => {
    expect(view(markFalse(ready, waiting, at(2)))).toMatchObject({
      DeploymentsAvailable: 'False|NotReady|Waiting on deployments: webhook',
      Ready: 'False|NotReady|Waiting on deployments: webhook',
    });
  });

  test.each<{ what: string; again: { reason: string; message: string }; moves: boolean }>([
    { what: 'nothing', again: { reason: 'NotReady', message: waiting.message }, moves: false },
    { what: 'the reason', again: { reason: 'Other', message: waiting.message }, moves: true },
    { what: 'the message', again: { reason: 'NotReady', message: 'Waiting on deployments: a' }, moves: true },
  ])('moves the transition time exactly when something changes: $what', ({ again, moves }) => {
    const first = markFalse(ready, waiting, at(2));
    const second = markFalse(first, { type: 'DeploymentsAvailable', ...again }, at(7));
    expect(timeOf(second, 'DeploymentsAvailable')).toBe(moves ? at(7) : at(2));
    expect(timeOf(second, 'Ready')).toBe(moves ? at(7) : at(2));
  });

  test('leaves every other dependent as it was', () => {
    const after = view(markFalse(ready, notReady, at(2)));
    expect(after).toMatchObject({
      DependenciesInstalled: 'True',
      DeploymentsAvailable: 'True',
      InstallSucceeded: 'True',
      VersionMigrationEligible: 'True',
    });
  });
});

describe('markUnknown', () => {
  const soon = { type: 'InstallSucceeded', reason: 'Pending', message: 'soon' } as const;

  test('takes Ready with it when no dependent is False', () => {
    expect(view(markUnknown(ready, soon, at(2)))['Ready']).toBe('Unknown|Pending|soon');
  });

  test('leaves a Ready that is False as it is when another dependent is False', () => {
    const failed = markFalse(ready, waiting, at(2));
    expect(findCondition(markUnknown(failed, soon, at(3)), 'Ready')).toEqual(findCondition(failed, 'Ready'));
  });

  test('makes Ready False when a dependent is False and Ready says otherwise', () => {
    const odd = markFalse(ready, waiting, at(2)).map((condition): Condition =>
      condition.type === 'Ready' ? { type: 'Ready', status: 'True' } : condition,
    );
    expect(view(markUnknown(odd, soon, at(3)))['Ready']).toBe('False|Pending|soon');
  });
});

describe('markInstallSucceeded', () => {
  test('takes DependenciesInstalled with it and leaves DeploymentsAvailable Unknown', () => {
    expect(view(markInstallSucceeded(fresh, at(1)))).toMatchObject({
      InstallSucceeded: 'True',
      DependenciesInstalled: 'True',
      DeploymentsAvailable: 'Unknown',
      Ready: 'Unknown',
    });
  });

  test.each(['Installing', 'Error'])('leaves DependenciesInstalled False that was marked %s', (reason) => {
    const failed = markFalse(fresh, { type: 'DependenciesInstalled', reason, message: 'istio' }, at(1));
    const after = markInstallSucceeded(failed, at(2));
    expect(view(after)['DependenciesInstalled']).toBe(`False|${reason}|istio`);
    expect(statusOf(after, 'Ready')).toBe('False');
    expect(statusOf(markTrue(after, 'DependenciesInstalled', at(3)), 'DependenciesInstalled')).toBe('True');
  });

  test('clears an earlier failure', () => {
    const failed = markFalse(ready, { type: 'InstallSucceeded', reason: 'Error', message: 'x' }, at(2));
    expect(statusOf(markInstallSucceeded(failed, at(3)), 'Ready')).toBe('True');
  });
});

describe('the target cluster', () => {
  test('leaves InstallSucceeded True when it is lost on a healthy resource', () => {
    const lost = markFalse(ready, notReady, at(2));
    expect(statusOf(lost, 'InstallSucceeded')).toBe('True');
    expect(view(lost)['Ready']).toBe('False|ClusterProfileNotReady|c1 is down');
  });

  test('leaves InstallSucceeded Unknown when it is not resolved on a fresh resource', () => {
    expect(statusOf(markFalse(fresh, notReady, at(1)), 'InstallSucceeded')).toBe('Unknown');
  });

  test('may toggle any number of times and ends Ready with InstallSucceeded untouched', () => {
    let conditions = ready;
    for (const second of [2, 4, 6]) {
      conditions = markFalse(conditions, notReady, at(second));
      expect(statusOf(conditions, 'Ready')).toBe('False');
      conditions = markTrue(conditions, 'TargetClusterResolved', at(second + 1));
      expect(statusOf(conditions, 'Ready')).toBe('True');
    }
    expect(findCondition(conditions, 'InstallSucceeded')).toEqual(findCondition(ready, 'InstallSucceeded'));
    expect(timeOf(conditions, 'Ready')).toBe(at(7));
  });
});

describe('a first pass', () => {
  test('ends as the Go operator leaves a local Serving whose webhook is not ready', () => {
    let conditions = markTrue(fresh, 'VersionMigrationEligible', at(1));
    conditions = markTrue(conditions, 'TargetClusterResolved', at(2));
    conditions = markFalse(conditions, waiting, at(3));
    expect(view(conditions)).toEqual({
      DependenciesInstalled: 'Unknown',
      DeploymentsAvailable: 'False|NotReady|Waiting on deployments: webhook',
      InstallSucceeded: 'Unknown',
      Ready: 'False|NotReady|Waiting on deployments: webhook',
      TargetClusterResolved: 'True',
      VersionMigrationEligible: 'True',
    });
  });
});

describe('setInformational', () => {
  const finalizing = {
    type: 'Finalizing',
    status: 'True',
    reason: 'Waiting',
    message: '3 objects remain',
  } as const;

  test('never changes Ready, whatever Finalizing says', () => {
    for (const status of ['True', 'False', 'Unknown'] as const) {
      const conditions = setInformational(ready, { ...finalizing, status }, at(2));
      expect(findCondition(conditions, 'Ready')).toEqual(findCondition(ready, 'Ready'));
      expect(statusOf(markTrue(conditions, 'InstallSucceeded', at(3)), 'Ready')).toBe('True');
    }
  });

  test('keeps the list sorted by type', () => {
    const types = setInformational(ready, finalizing, at(2)).map(({ type }) => type);
    expect(types).toEqual(types.toSorted());
  });

  test('is undone by removeCondition', () => {
    expect(removeCondition(setInformational(ready, finalizing, at(2)), 'Finalizing')).toEqual(ready);
  });
});

describe('every function', () => {
  test('leaves the list that it is given unchanged', () => {
    const frozen = Object.freeze(ready.map((condition) => Object.freeze(condition)));
    markFalse(frozen, waiting, at(3));
    markUnknown(frozen, { ...waiting }, at(3));
    markInstallSucceeded(frozen, at(3));
    expect(frozen).toEqual(ready);
  });
});
