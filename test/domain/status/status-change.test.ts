import { describe, expect, test } from 'vitest';

import type { ErrorKind } from '../../../domain/errors.ts';
import { findCondition } from '../../../domain/status/conditions.ts';
import type { ComponentStatus } from '../../../domain/status/status-change.ts';
import {
  acknowledge,
  asStatus,
  beginPass,
  finalizing,
  installed,
  isTrue,
  mark,
  recordTarget,
  showFailure,
  targetResolved,
  waitingOn,
} from '../../../domain/status/status-change.ts';
import { target } from '../../support/lifecycle-states.ts';

const t1 = '2026-01-01T00:00:00Z';
const t2 = '2026-01-02T00:00:00Z';
const t3 = '2026-01-03T00:00:00Z';

function readyStatus(): ComponentStatus {
  let status = beginPass({}, 1, t1);
  status = mark(status, 'VersionMigrationEligible', t1);
  return installed(status, { generation: 1, version: '1.23.0' }, t1);
}

const view = (status: ComponentStatus, type: string) => {
  const { status: value, reason, message } = findCondition(status.conditions ?? [], type) ?? {};
  return { value, reason, message };
};

describe('asStatus', () => {
  test('reads a status that is no status as one without conditions, and keeps unknown fields', () => {
    expect(asStatus({ conditions: 'x', more: 1 })).toEqual({ conditions: [], more: 1 });
  });
});

describe('beginPass', () => {
  test('shows every condition as unknown on a new resource', () => {
    const { conditions, observedGeneration } = beginPass({}, 2, t1);
    expect(observedGeneration).toBe(2);
    expect(conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'DependenciesInstalled=Unknown',
      'DeploymentsAvailable=Unknown',
      'InstallSucceeded=Unknown',
      'Ready=Unknown',
      'TargetClusterResolved=Unknown',
      'VersionMigrationEligible=Unknown',
    ]);
  });

  test('never lowers the observed generation', () => {
    expect(beginPass({ observedGeneration: 5 }, 4, t1).observedGeneration).toBe(5);
  });

  test('keeps what is Ready, and ends a finalization that is no more', () => {
    const begun = beginPass(finalizing(readyStatus(), { reason: 'Blocked', message: 'x' }, t2), 2, t2);
    expect(isTrue(begun, 'Ready')).toBe(true);
    expect(begun.observedGeneration).toBe(1);
    expect(findCondition(begun.conditions ?? [], 'Finalizing')).toBeUndefined();
  });
});

/** What can happen between an edit and its installation, and shows nothing of the edit. */
const beforeInstallation: Readonly<Record<string, (status: ComponentStatus) => ComponentStatus>> = {
  'its pass begins': (status) => targetResolved(beginPass(status, 2, t2), t2),
  'its target is away and comes back': (status) =>
    targetResolved(showFailure(status, { kind: 'SpokeUnreachable', message: 'x', generation: 2 }, t2), t3),
  'it is held, and its pass begins when that ends': (status) =>
    targetResolved(
      beginPass(showFailure(status, { kind: 'Paused', message: 'x', generation: 2 }, t2), 2, t3),
      t3,
    ),
  'its version is not eligible at first': (status) =>
    mark(
      showFailure(status, { kind: 'VersionNotEligible', message: 'x', generation: 2 }, t2),
      'VersionMigrationEligible',
      t3,
    ),
};

describe('an edit of what is Ready', () => {
  test.each(Object.entries(beforeInstallation))(
    'is not observed when %s, since Ready still tells of what was installed before',
    (_case, happens) => {
      const status = happens(readyStatus());
      expect(view(status, 'Ready').value).toBe('True');
      expect(status.observedGeneration).toBe(1);
    },
  );

  test('is observed when it waits for its workloads, cannot be installed, or is installed', () => {
    const waiting = waitingOn(readyStatus(), { generation: 2, names: ['controller'] }, t2);
    const failed = showFailure(readyStatus(), { kind: 'SpecInvalid', message: 'x', generation: 2 }, t2);
    const done = installed(readyStatus(), { generation: 2, version: '1.23.0' }, t2);
    expect([waiting, failed, done].map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2]);
    expect([waiting, failed, done].map((status) => view(status, 'Ready').value)).toEqual([
      'False',
      'False',
      'True',
    ]);
  });
});

describe('showFailure', () => {
  const cases: readonly (readonly [ErrorKind, string, string, string])[] = [
    ['SpokeUnreachable', 'TargetClusterResolved', 'SpokeUnreachable', 'gone'],
    ['Paused', 'TargetClusterResolved', 'Paused', 'gone'],
    ['SpecInvalid', 'InstallSucceeded', 'Error', 'Install failed with message: gone'],
    ['ApplyRejected', 'InstallSucceeded', 'Error', 'Install failed with message: gone'],
    [
      'VersionNotEligible',
      'VersionMigrationEligible',
      'Error',
      'Version migration is not eligible with message: gone',
    ],
    ['Internal', 'InstallSucceeded', 'Error', 'Install failed with message: gone'],
  ];
  test.each(cases)('shows %s in %s, and Ready follows', (kind, type, reason, message) => {
    const shown = showFailure(readyStatus(), { kind, message: 'gone' }, t2);
    expect(view(shown, type)).toEqual({ value: 'False', reason, message });
    expect(view(shown, 'Ready')).toEqual({ value: 'False', reason, message });
  });

  test.each(['Superseded', 'PlanChanged', 'ResourceGone', 'HubUnavailable', 'FinalizationBlocked'] as const)(
    'leaves no trace of %s',
    (kind) => {
      const status = readyStatus();
      expect(showFailure(status, { kind, message: 'x' }, t2)).toBe(status);
    },
  );

  test('keeps what was known of the installation while the target cannot be used, and says since when', () => {
    const first = showFailure(readyStatus(), { kind: 'SpokeUnreachable', message: 'refused' }, t2);
    expect(first.unverifiedSince).toBe(t2);
    for (const type of ['InstallSucceeded', 'DeploymentsAvailable', 'VersionMigrationEligible']) {
      expect(isTrue(first, type)).toBe(true);
    }
    const later = showFailure(first, { kind: 'AccessProviderFailed', message: 'no plugin' }, t3);
    expect(later.unverifiedSince).toBe(t2);
    expect(view(later, 'Ready').reason).toBe('AccessProviderFailed');
  });

  test('changes nothing when the same failure is shown again', () => {
    const failure = { kind: 'SpokeUnreachable', message: 'refused' } as const;
    const first = showFailure(readyStatus(), failure, t2);
    expect(showFailure(first, failure, t3)).toEqual(first);
  });

  test('shows a failure on a resource that has no status yet', () => {
    expect(view(showFailure({}, { kind: 'SpecInvalid', message: 'x' }, t1), 'Ready').value).toBe('False');
  });
});

describe('targetResolved', () => {
  test('ends the time in which nothing could be verified, and Ready comes back', () => {
    const lost = showFailure(readyStatus(), { kind: 'SpokeUnreachable', message: 'refused' }, t2);
    const found = targetResolved(lost, t3);
    expect('unverifiedSince' in found).toBe(false);
    expect(view(found, 'Ready').value).toBe('True');
  });
});

describe('installed', () => {
  test('shows version, readiness and what was served, and clears every failure', () => {
    const lost = showFailure(readyStatus(), { kind: 'SpokeUnreachable', message: 'refused' }, t2);
    const done = installed(lost, { generation: 4, version: '1.24.0' }, t3);
    expect(view(done, 'Ready')).toEqual({ value: 'True', reason: undefined, message: undefined });
    expect(done.version).toBe('1.24.0');
    expect(done.acknowledged).toEqual({ generation: 4 });
    expect('unverifiedSince' in done).toBe(false);
  });

  test('does not take a trigger for served that its pass did not begin with', () => {
    const begun = acknowledge(readyStatus(), { trigger: 'x' });
    const done = installed(begun, { generation: 2, version: '1.23.0' }, t3);
    expect(done.acknowledged).toEqual({ generation: 2, trigger: 'x' });
  });

  test('writes nothing new for a resource that was ready and still is', () => {
    const status = readyStatus();
    expect(installed(status, { generation: 1, version: '1.23.0' }, t3)).toEqual(status);
  });

  test('is not Ready while the version was not found eligible', () => {
    const begun = beginPass({}, 1, t1);
    const done = installed(begun, { generation: 1, version: '1.23.0' }, t2);
    expect(view(done, 'Ready').value).toBe('Unknown');
  });
});

describe('recordTarget', () => {
  test('records where the component is installed', () => {
    const status = recordTarget({ version: '1.23.0' }, target, { provider: 'vault', anchorUID: 'a-1' });
    expect(status).toEqual({
      version: '1.23.0',
      targetCluster: 'fleet/spoke-1',
      targetNamespace: 'knative-serving',
      target: {
        clusterUID: 'cluster-1',
        server: 'https://spoke-1.test',
        installNamespace: 'knative-serving',
        profile: 'fleet/spoke-1',
        provider: 'vault',
        anchorUID: 'a-1',
      },
    });
  });

  test('keeps the anchor that is known, and names no provider locally', () => {
    const first = recordTarget({}, target, { provider: 'vault', anchorUID: 'a-1' });
    const second = recordTarget(first, target, { provider: '' });
    expect(second.target?.anchorUID).toBe('a-1');
    expect('provider' in (second.target ?? {})).toBe(false);
  });
});

describe('acknowledge', () => {
  test('keeps what is not served again', () => {
    const status = acknowledge({ acknowledged: { generation: 1, trigger: 'x' } }, { generation: 2 });
    expect(status.acknowledged).toEqual({ generation: 2, trigger: 'x' });
  });
});

describe('waitingOn', () => {
  test('names what is waited for in the words of the Go operator', () => {
    const status = waitingOn(readyStatus(), { generation: 1, names: ['activator', 'controller'] }, t2);
    const expected = {
      value: 'False',
      reason: 'NotReady',
      message: 'Waiting on deployments: activator, controller',
    };
    expect(view(status, 'DeploymentsAvailable')).toEqual(expected);
    expect(view(status, 'Ready')).toEqual(expected);
  });
});

describe('finalizing', () => {
  test('shows progress beside Ready, and keeps its time while nothing changes', () => {
    const first = finalizing(readyStatus(), { reason: 'Blocked', message: 'x' }, t2);
    expect(view(first, 'Finalizing')).toEqual({ value: 'True', reason: 'Blocked', message: 'x' });
    expect(isTrue(first, 'Ready')).toBe(true);
    expect(finalizing(first, { reason: 'Blocked', message: 'x' }, t3)).toEqual(first);
  });
});
