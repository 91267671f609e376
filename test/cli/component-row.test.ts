import { describe, expect, test } from 'vitest';

import { resourceOf } from '../../adapters/hub/components.ts';
import { componentRow } from '../../cli/fleet/component-row.ts';
import type { WorkflowSummary } from '../../cli/fleet/workflow-summary.ts';

const ref = { kind: 'KnativeServing', namespace: 'n', name: 's' } as const;
const since = '2026-01-01T00:00:00Z';

function resource(parts: { spec?: object; conditions?: object[]; metadata?: object; status?: object }) {
  return resourceOf(ref, {
    apiVersion: 'operator.knative.dev/v1beta1',
    kind: ref.kind,
    metadata: { name: ref.name, namespace: ref.namespace, uid: 'u', ...parts.metadata },
    spec: parts.spec ?? {},
    status: { conditions: parts.conditions ?? [], ...parts.status },
  });
}

const ready = (status: string, more: object = {}): object => ({
  type: 'Ready',
  status,
  lastTransitionTime: since,
  ...more,
});

describe('componentRow without Temporal', () => {
  test.each([
    ['Ready', { conditions: [ready('True')] }],
    ['Pending', {}],
    [
      'Waiting',
      { conditions: [ready('False', { reason: 'NotReady', message: 'Waiting on deployments: a' })] },
    ],
    ['Blocked', { conditions: [ready('False', { reason: 'SpokeUnreachable' })] }],
    ['Suspended', { spec: { paused: true }, conditions: [ready('True')] }],
    ['Finalizing', { metadata: { deletionTimestamp: since }, conditions: [ready('True')] }],
  ])('takes state %s from the resource', (state, parts) => {
    expect(componentRow(resource(parts), null).state).toBe(state);
  });
});

describe('componentRow', () => {
  const workflow: WorkflowSummary = {
    workflowId: 'KnativeServing/n/s',
    runId: 'r',
    phase: 'Blocked',
    reason: 'SpokeUnreachable',
    plannedVersion: '1.22.1',
    target: 'fleet/a',
    blockedSince: '2026-01-02T00:00:00.000Z',
  };

  test('prefers what the workflow says of state and time', () => {
    const row = componentRow(resource({ conditions: [ready('True')] }), workflow);
    expect(row).toMatchObject({ state: 'Blocked', since: workflow.blockedSince, target: 'fleet/a' });
  });

  test('says that the workflow is missing and who would start it', () => {
    const row = componentRow(resource({ conditions: [ready('True')] }), undefined);
    expect(row.workflow).toBeNull();
    expect(row.waitingFor).toMatch(/a workflow: the starter makes one/);
  });

  test('shows the wanted target before one is recorded, and latest where no version is wanted', () => {
    const spec = { destination: { clusterProfileRef: { name: 'b', namespace: 'fleet' } } };
    expect(componentRow(resource({ spec }), null)).toMatchObject({
      target: 'fleet/b',
      wanted: 'latest',
      installed: null,
    });
    expect(componentRow(resource({}), null).target).toBe('local');
    expect(componentRow(resource({ spec: { destination: {} } }), null).target).toBe('invalid');
  });

  test('is never ready while it is deleted', () => {
    const metadata = { deletionTimestamp: since };
    expect(componentRow(resource({ metadata, conditions: [ready('True')] }), null).ready).toBe(false);
  });
});
