import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { componentKinds } from '../../../domain/api/component-ref.ts';
import type { ComponentStatusFields } from '../../../domain/api/component-status.ts';
import type { Conditions } from '../../../domain/status/conditions.ts';
import { initializeConditions, markFalse } from '../../../domain/status/conditions.ts';
import type { ComponentStatus } from '../../../domain/status/status-change.ts';
import { acknowledge, recordTarget, showFailure } from '../../../domain/status/status-change.ts';
import type { RawAnswer } from '../../support/raw-api.ts';
import type { ResourceApi } from '../../support/resource-api.ts';
import { openResourceApi, succeed } from '../../support/resource-api.ts';

const now = '2026-01-01T00:00:00.000Z';
const waiting = {
  type: 'DeploymentsAvailable',
  reason: 'NotReady',
  message: 'Waiting on deployments: webhook',
} as const;
const conditions: Conditions = markFalse(initializeConditions([], now), waiting, now);

let api: ResourceApi;
beforeAll(async () => {
  api = await openResourceApi();
});
afterAll(() => api.close());

const everything = {
  observedGeneration: 3,
  conditions: [...conditions],
  annotations: { a: 'b' },
  version: '1.22.1',
  manifests: ['/releases/knative-serving/1.22.1', 'https://example.com/extra.yaml'],
  target: {
    clusterUID: 'c1',
    server: 'https://127.0.0.1:6443',
    installNamespace: 'kn',
    anchorUID: 'a1',
    profile: 'fleet/edge-1',
    provider: 'secretreader',
    local: false,
  },
  targetCluster: 'fleet/edge-1',
  targetNamespace: 'kn',
  unverifiedSince: now,
  acknowledged: { generation: 3, trigger: 't', forceCleanup: 'u1: gone', suspend: 'me' },
  abandoned: { since: now, why: 'deadline', clusterUID: 'c0', remaining: 4, record: 'knative-operator/r' },
  finalization: {
    since: now,
    nextTry: '2026-01-01T00:01:00Z',
    remaining: 2,
    blockers: ['Namespace kn is terminating'],
  },
} satisfies ComponentStatusFields;

describe.each(componentKinds)('status of %s', (kind) => {
  async function write(name: string, status: unknown): Promise<RawAnswer> {
    const path = api.path(kind, name);
    const { body } = await succeed(api.apply(path, api.resource(kind, name, undefined)));
    return api.send({ method: 'PUT', path: `${path}/status`, body: { ...body, status } });
  }

  test('keeps every field that the schema declares', async () => {
    expect((await succeed(write('everything', everything))).body['status']).toEqual(everything);
  });

  test('keeps all that the changes of a pass write', async () => {
    const target = { ...everything.target, kubernetesVersion: 'v1.35.4' };
    let status: ComponentStatus = recordTarget({ conditions, observedGeneration: 1 }, target, {
      provider: 'secretreader',
      anchorUID: 'a1',
    });
    status = acknowledge(status, { generation: 1, trigger: 't' });
    status = showFailure(
      status,
      { kind: 'SpokeUnreachable', message: 'https://127.0.0.1:6443 timed out' },
      now,
    );
    expect((await succeed(write('pass', status))).body['status']).toEqual(status);
  });

  test.each<{ what: string; status: unknown }>([
    { what: 'a time that is none', status: { unverifiedSince: 'yesterday' } },
    {
      what: 'more than 30 blockers',
      status: { finalization: { blockers: Array.from({ length: 31 }, () => 'x') } },
    },
    { what: 'a negative count', status: { finalization: { remaining: -1 } } },
    { what: 'an address without end', status: { target: { server: 'x'.repeat(1025) } } },
  ])('refuses $what', async ({ status }) => {
    expect(await write('refused', status)).toMatchObject({ status: 422 });
  });
});
