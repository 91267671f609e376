import { describe, expect, test } from 'vitest';

import { invariants } from './invariants.ts';
import type { RecordedWrite, Recording, SeenOnSpoke, SpokeRecording } from './recording.ts';

const limits = { requestsPerSecond: 2, burst: 3 };
const sound: Recording = {
  spokes: [],
  statusWrites: [],
  activities: [],
  endings: [],
  inHistories: [],
  limits,
};

function write(fields: Partial<RecordedWrite>): RecordedWrite {
  return {
    at: 10,
    verb: 'patch',
    resource: 'configmaps',
    namespace: 'n',
    name: 'one',
    status: 200,
    sent: {},
    answer: { metadata: { uid: 'u1' } },
    ...fields,
  };
}

const quiet: SpokeRecording = {
  name: '',
  tokens: [],
  credentials: [],
  seen: [],
  writes: [],
  workloads: [],
};

function spoke(fields: Partial<SpokeRecording>): Recording {
  return {
    ...sound,
    spokes: [{ ...quiet, name: 'a', tokens: ['t-a'], ...fields }],
  };
}

function request(at: number, fields: Partial<SeenOnSpoke> = {}): SeenOnSpoke {
  return { at, request: `GET /${String(at)}`, worker: 0, ...fields };
}

function report(observedGeneration: number, at = 20, more: object = {}): Recording['statusWrites'][number] {
  const answer = {
    metadata: { uid: 'c1', generation: 3 },
    status: { observedGeneration, version: '1.22.1', conditions: [{ type: 'Ready', status: 'True' }] },
    ...more,
  };
  return { ...write({ at, resource: 'knativeservings/status', name: 'serving', answer }), spoke: 'a' };
}

function deployment(at: number, version: string, observedGeneration: number): RecordedWrite {
  const answer = {
    metadata: { uid: 'd1', generation: 2, labels: { 'app.kubernetes.io/version': version } },
    status: { observedGeneration, conditions: [{ type: 'Available', status: 'True' }] },
  };
  return write({ at, resource: 'deployments', name: 'controller', answer });
}

function setting(at: number, sample: string): RecordedWrite {
  return write({ at, resource: 'configmaps', name: 'config-features', sent: { data: { sample } } });
}

const spec = { config: { features: { sample: 'two' } } };

const deletion = { verb: 'delete', at: 11, answer: {} } as const;
const applied = [write({})];

/** For each invariant, runs that keep it and runs that break it. */
const cases: Readonly<Record<string, { kept: readonly Recording[]; broken: readonly Recording[] }>> = {
  'a finalizer is gone only when the inventory is, or what stays is recorded': {
    kept: [
      { ...sound, endings: [{ component: 'c', inventory: ['x'], present: ['y'], abandoned: [] }] },
      { ...sound, endings: [{ component: 'c', inventory: ['x'], present: ['x'], abandoned: ['x'] }] },
    ],
    broken: [{ ...sound, endings: [{ component: 'c', inventory: ['x'], present: ['x'], abandoned: [] }] }],
  },
  'only objects whose UID we know are deleted': {
    kept: [
      spoke({ writes: [...applied, write({ ...deletion, sent: { preconditions: { uid: 'u1' } } })] }),
      spoke({ writes: [write({ ...deletion, status: 404 })] }),
    ],
    broken: [
      spoke({ writes: [...applied, write({ ...deletion, sent: { preconditions: { uid: 'u2' } } })] }),
      spoke({ writes: [...applied, write(deletion)] }),
    ],
  },
  'one activity at a time writes for a component': {
    kept: [
      {
        ...sound,
        activities: [
          { component: 'c', activity: 'applyStages', from: 1, to: 2 },
          { component: 'c', activity: 'finalizeTarget', from: 2, to: 3 },
          { component: 'd', activity: 'applyStages', from: 1, to: 3 },
        ],
      },
    ],
    broken: [
      {
        ...sound,
        activities: [
          { component: 'c', activity: 'finalizeTarget', from: 2, to: 4 },
          { component: 'c', activity: 'applyStages', from: 1, to: 3 },
        ],
      },
    ],
  },
  'a version is reported when all its Deployments were seen available': {
    kept: [
      {
        ...spoke({ writes: [deployment(1, '1.22.1', 1)], workloads: [deployment(12, '1.22.1', 2)] }),
        statusWrites: [report(3)],
      },
    ],
    broken: [
      { ...spoke({ writes: [deployment(1, '1.22.1', 1)] }), statusWrites: [report(3)] },
      {
        ...spoke({ writes: [deployment(1, '1.22.1', 1)], workloads: [deployment(12, '1.22.1', 1)] }),
        statusWrites: [report(3)],
      },
      {
        ...spoke({ writes: [deployment(1, '1.22.1', 1)], workloads: [deployment(12, '1.21.0', 2)] }),
        statusWrites: [report(3)],
      },
      {
        ...spoke({ writes: [deployment(1, '1.22.1', 1)], workloads: [deployment(22, '1.22.1', 2)] }),
        statusWrites: [report(3)],
      },
    ],
  },
  'observedGeneration never runs ahead and never goes back': {
    kept: [{ ...sound, statusWrites: [report(1), report(3), report(3)] }],
    broken: [
      { ...sound, statusWrites: [report(4)] },
      { ...sound, statusWrites: [report(3), report(2)] },
    ],
  },
  'Ready at the newest generation means that its settings were written': {
    kept: [
      {
        ...spoke({ writes: [setting(11, 'one'), setting(12, 'two')] }),
        statusWrites: [report(3, 20, { spec })],
      },
      { ...spoke({ writes: [setting(11, 'one')] }), statusWrites: [report(2, 20, { spec })] },
    ],
    broken: [
      {
        ...spoke({ writes: [setting(11, 'one'), setting(22, 'two')] }),
        statusWrites: [report(3, 20, { spec })],
      },
      {
        ...spoke({ writes: [setting(11, 'two'), setting(12, 'one')] }),
        statusWrites: [report(3, 20, { spec })],
      },
    ],
  },
  "no spoke is sent another one's credential": {
    kept: [spoke({ credentials: ['t-a'] })],
    broken: [
      {
        ...sound,
        spokes: [
          { ...quiet, name: 'a', tokens: ['t-a'] },
          { ...quiet, name: 'b', tokens: ['t-b'], credentials: ['t-b', 't-a'] },
        ],
      },
    ],
  },
  'no history holds a secret': {
    kept: [sound],
    broken: [{ ...sound, inHistories: ['a token at event 3'] }],
  },
  'requests keep to the rate, and a throttled write is not repeated before its time': {
    kept: [
      spoke({ seen: [1, 2, 3, 4, 5, 1_002].map((at) => request(at)) }),
      spoke({ seen: [1, 2, 3, 4, 5, 6].map((at) => request(at, { worker: at === 6 ? 1 : 0 })) }),
      spoke({
        seen: [request(1, { request: 'PATCH /x', retryAfterMs: 500 }), request(502, { request: 'PATCH /x' })],
      }),
    ],
    broken: [
      spoke({ seen: [1, 2, 3, 4, 5, 6].map((at) => request(at)) }),
      spoke({
        seen: [request(1, { request: 'PATCH /x', retryAfterMs: 500 }), request(400, { request: 'PATCH /x' })],
      }),
    ],
  },
};

test('each invariant has runs that keep it and runs that break it', () => {
  expect(Object.keys(cases)).toEqual(Object.keys(invariants));
});

describe.each(Object.entries(invariants))('%s', (name, check) => {
  test.each(cases[name]?.kept ?? [])('is seen to be kept, case %$', (recording) => {
    expect(check(recording)).toEqual([]);
  });

  test.each(cases[name]?.broken ?? [])('is seen to be broken, case %$', (recording) => {
    expect(check(recording)).not.toEqual([]);
  });
});
