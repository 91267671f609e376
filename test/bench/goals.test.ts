import { describe, expect, test } from 'vitest';

import { goalsOf, percentile95 } from '../../bench/goals.ts';
import type { Measurement } from '../../bench/measurement.ts';
import type { Results } from '../../bench/results.ts';

const usage = { cpuSeconds: 1, residentMB: 100, peakMB: 120 };
const empty: Results = {
  machine: {
    date: '2026-11-30',
    cores: 2,
    memoryGb: 24,
    node: 'v24.0.0',
    repetitions: 1,
    versions: 'none',
    allocator: 'jemalloc',
  },
  objects: { serving: 10, eventing: 20 },
  measurements: [],
  usage: { worker: usage, starter: usage, temporal: usage },
};

function measurement(installer: 'operator' | 'floor', seconds: number, requests = 10): Measurement {
  const traffic = { requests: { patch: requests }, created: 0, bytesSent: 0, bytesReceived: 0 };
  return {
    component: 'serving',
    roundTripMs: 0,
    installer,
    install: { seconds, ...traffic },
    removal: { seconds: seconds + 5, namespaceSeconds: 5, ...traffic },
  };
}

const held = (results: Partial<Results>): Record<string, boolean> =>
  Object.fromEntries(goalsOf({ ...empty, ...results }).map(({ measure, holds }) => [measure, holds]));

const idle = { comparison: 11, observation: 6, perDay: 57.5 };

describe('goalsOf', () => {
  test('holds an install against the floor of the same run, and a removal without its namespace', () => {
    const floor = measurement('floor', 1);
    expect(held({ measurements: [measurement('operator', 2.3, 13), floor] })).toEqual({
      'serving at 0 ms, create to Ready': true,
      'serving at 0 ms, delete to gone, without the namespace': true,
      'serving at 0 ms, requests of an install': true,
    });
    expect(held({ measurements: [measurement('operator', 2.6, 14), floor] })).toEqual({
      'serving at 0 ms, create to Ready': false,
      'serving at 0 ms, delete to gone, without the namespace': false,
      'serving at 0 ms, requests of an install': false,
    });
  });

  test('takes one needless write of an upgrade as a failure, and names the object', () => {
    const upgrade = { from: '1.22.0', to: '1.22.1', seconds: 1, objects: 3, differing: 1, written: 2 };
    const [goal] = goalsOf({ ...empty, upgrade: { ...upgrade, needless: ['ConfigMap a/b'] } });
    expect(goal).toMatchObject({ holds: false });
    expect(goal?.measured).toContain('ConfigMap a/b');
  });

  test('wants histories of the same length, however many objects there are', () => {
    const few = { objects: 63, events: 70, idle };
    expect(Object.values(held({ histories: [few, { objects: 265, events: 70, idle }] }))).not.toContain(
      false,
    );
    expect(held({ histories: [few, { objects: 265, events: 75, idle }] })).toMatchObject({
      'history events, however many objects': false,
    });
  });

  test('allows an idle component 60 events a day', () => {
    const row = 'history events a day of an idle component, 63 objects, observer included';
    const with60 = { objects: 63, events: 70, idle: { ...idle, perDay: 60 } };
    expect(held({ histories: [with60] })).toMatchObject({ [row]: true });
    expect(held({ histories: [{ ...with60, idle: { ...idle, perDay: 61 } }] })).toMatchObject({
      [row]: false,
    });
  });

  test('says nothing of what was not measured', () => {
    expect(goalsOf(empty)).toEqual([]);
  });
});

test('the 95th percentile is the value that at most one in twenty exceeds', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index + 1);
  expect(percentile95(twenty)).toBe(19);
  expect(percentile95([3])).toBe(3);
});
