import { describe, expect, test } from 'vitest';

import { isWorkload, readinessOf } from '../../../domain/manifests/readiness.ts';
import type { Readiness } from '../../../domain/manifests/readiness.ts';
import { yamlObject } from '../../support/rendering.ts';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: '{replicas: 2, progressDeadlineSeconds: 600}',
  ready: `{observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2, conditions: [
    {type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}]}`,
};
const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  spec: '{replicas: 2}',
  ready: `{observedGeneration: 3, replicas: 2, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2,
    currentRevision: a, updateRevision: a}`,
};
const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  spec: '{}',
  ready: `{observedGeneration: 3, desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2,
    numberAvailable: 2, numberReady: 2}`,
};
const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: '{}',
  ready: '{conditions: [{type: Complete, status: "True"}]}',
};
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  spec: '{}',
  ready: '{conditions: [{type: NamesAccepted, status: "True"}, {type: Established, status: "True"}]}',
};
const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  spec: '{}',
  ready: '{conditions: [{type: Available, status: "True"}]}',
};

type Shape = typeof deployment;

/** `status` and `spec` are YAML text; an edit is `[what stands in the ready status, what is there instead]`. */
function judge(
  shape: Shape,
  change: { status?: string; edit?: [string, string]; spec?: string } = {},
): Readiness {
  const [from, to] = change.edit ?? ['', ''];
  if (!shape.ready.includes(from)) throw new Error(`no ${from} to replace`);
  return readinessOf(
    yamlObject(`
apiVersion: ${shape.apiVersion}
kind: ${shape.kind}
metadata: {name: a, generation: 3}
spec: ${change.spec ?? shape.spec}
status: ${change.status ?? shape.ready.replace(from, to)}
`),
  );
}

describe('readinessOf', () => {
  test.each([deployment, statefulSet, daemonSet, job, crd, apiService])(
    'takes a complete $kind for ready',
    (shape) => {
      expect(judge(shape)).toEqual({ ready: true, failed: false, reason: '' });
    },
  );

  test.each([deployment, statefulSet, daemonSet, job, crd, apiService])(
    'waits for a $kind without status',
    (shape) => {
      expect(judge(shape, { status: '{}' })).toMatchObject({ ready: false, failed: false });
    },
  );

  test.each([deployment, statefulSet, daemonSet])(
    'does not believe a $kind whose status is of an older generation, or of none',
    (shape) => {
      const reason = 'the controller has not seen the present generation';
      expect(judge(shape, { edit: ['observedGeneration: 3', 'observedGeneration: 2'] }).reason).toBe(reason);
      expect(judge(shape, { edit: ['observedGeneration: 3, ', ''] }).reason).toBe(reason);
    },
  );

  test.each<[Shape, string, [string, string], string]>([
    [
      deployment,
      'old Pods remain to be updated',
      ['updatedReplicas: 2', 'updatedReplicas: 1'],
      'replicas are being updated',
    ],
    [
      deployment,
      'old Pods are still ending',
      ['{observedGeneration: 3, replicas: 2', '{observedGeneration: 3, replicas: 3'],
      'replicas that are too many are ending',
    ],
    [
      deployment,
      'a Pod is not available',
      ['availableReplicas: 2', 'availableReplicas: 1'],
      'replicas are not available yet',
    ],
    [
      deployment,
      'a Pod is not ready',
      ['readyReplicas: 2', 'readyReplicas: 1'],
      'replicas are not ready yet',
    ],
    [
      deployment,
      'the rollout runs',
      ['reason: NewReplicaSetAvailable', 'reason: ReplicaSetUpdated'],
      'the rollout is not complete',
    ],
    [
      deployment,
      'it is not Available',
      ['{type: Available, status: "True"}', '{type: Available, status: "False"}'],
      'is not available',
    ],
    [statefulSet, 'a Pod is missing', ['replicas: 2', 'replicas: 1'], 'replicas are being created'],
    [
      statefulSet,
      'a Pod is too many',
      ['replicas: 2', 'replicas: 3'],
      'replicas that are too many are ending',
    ],
    [
      statefulSet,
      'a Pod is not ready',
      ['readyReplicas: 2', 'readyReplicas: 1'],
      'replicas are not ready yet',
    ],
    [
      statefulSet,
      'the revision is changing',
      ['currentRevision: a', 'currentRevision: b'],
      'replicas are being updated',
    ],
    [
      statefulSet,
      'a Pod is of neither revision',
      ['currentReplicas: 2', 'currentReplicas: 1'],
      'replicas are being updated',
    ],
    [
      daemonSet,
      'a node has no Pod',
      ['currentNumberScheduled: 2', 'currentNumberScheduled: 1'],
      'Pods are being created',
    ],
    [
      daemonSet,
      'a Pod is old',
      ['updatedNumberScheduled: 2', 'updatedNumberScheduled: 1'],
      'Pods are being updated',
    ],
    [
      daemonSet,
      'a Pod is not available',
      ['numberAvailable: 2', 'numberAvailable: 1'],
      'Pods are not available yet',
    ],
    [daemonSet, 'a Pod is not ready', ['numberReady: 2', 'numberReady: 1'], 'Pods are not ready yet'],
    [
      daemonSet,
      'nothing was scheduled yet',
      ['desiredNumberScheduled: 2, ', ''],
      'the controller has not seen the present generation',
    ],
    [job, 'it only runs', ['type: Complete', 'type: SuccessCriteriaMet'], 'has not completed'],
    [job, 'it is only about to fail', ['type: Complete', 'type: FailureTarget'], 'has not completed'],
    [
      crd,
      'it is being installed',
      ['{type: Established, status: "True"}', '{type: Established, status: "False", reason: Installing}'],
      'is not established yet',
    ],
    [
      crd,
      'it is being deleted',
      [
        '{type: Established, status: "True"}',
        '{type: Established, status: "True"}, {type: Terminating, status: "True"}',
      ],
      'is being deleted',
    ],
    [
      apiService,
      'its Service does not answer',
      ['status: "True"', 'status: "False", message: no endpoints'],
      'is not available: no endpoints',
    ],
  ])('waits for a $0.kind when $1', (shape, _why, edit, reason) => {
    expect(judge(shape, { edit })).toEqual({ ready: false, failed: false, reason });
  });

  test.each<[Shape, [string, string], string]>([
    [
      deployment,
      ['reason: NewReplicaSetAvailable', 'reason: ProgressDeadlineExceeded'],
      'the rollout exceeded its progress deadline',
    ],
    [
      job,
      ['{type: Complete, status: "True"}', '{type: Failed, status: "True", message: too many retries}'],
      'failed: too many retries',
    ],
    [
      crd,
      [
        '{type: NamesAccepted, status: "True"}',
        '{type: NamesAccepted, status: "False", reason: PluralConflict}',
      ],
      'its names are not accepted: PluralConflict',
    ],
    [
      crd,
      ['{type: Established, status: "True"}', '{type: Established, status: "False", reason: NotAccepted}'],
      'is not established: NotAccepted',
    ],
  ])('gives a $0.kind up when only a change can help', (shape, edit, reason) => {
    expect(judge(shape, { edit })).toEqual({ ready: false, failed: true, reason });
  });

  test('takes a Deployment without progress deadline for ready by its counts', () => {
    const spec = '{replicas: 2, progressDeadlineSeconds: 2147483647}';
    const edit: [string, string] = ['reason: NewReplicaSetAvailable', 'reason: None'];
    expect(judge(deployment, { spec, edit }).ready).toBe(true);
  });

  test('takes a workload that was scaled to zero for ready', () => {
    const status = `{observedGeneration: 3, conditions: [
      {type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}]}`;
    expect(judge(deployment, { spec: '{replicas: 0, progressDeadlineSeconds: 600}', status }).ready).toBe(
      true,
    );
    expect(judge(statefulSet, { spec: '{replicas: 0}', status: '{observedGeneration: 3}' }).ready).toBe(true);
  });

  test('counts one replica where the spec names none', () => {
    expect(judge(deployment, { spec: '{progressDeadlineSeconds: 600}' }).reason).toContain('too many');
  });

  test('leaves a StatefulSet alone that is updated by hand', () => {
    const spec = '{replicas: 2, updateStrategy: {type: OnDelete}}';
    expect(judge(statefulSet, { spec, edit: ['currentRevision: a', 'currentRevision: b'] }).ready).toBe(true);
  });

  test('waits only for those above the partition of a StatefulSet', () => {
    const spec = '{replicas: 2, updateStrategy: {rollingUpdate: {partition: 1}}}';
    expect(judge(statefulSet, { spec, edit: ['updatedReplicas: 2', 'updatedReplicas: 1'] }).ready).toBe(true);
    expect(judge(statefulSet, { spec, edit: ['updatedReplicas: 2', 'updatedReplicas: 0'] }).ready).toBe(
      false,
    );
  });

  test('does not wait for a Job that is suspended on purpose', () => {
    const status = '{conditions: [{type: Suspended, status: "True"}]}';
    expect(judge(job, { spec: '{suspend: true}', status }).ready).toBe(true);
    expect(judge(job, { spec: '{suspend: false}', status }).ready).toBe(false);
  });

  test('never takes an object that is being deleted for ready', () => {
    const object = yamlObject(`
apiVersion: v1
kind: ConfigMap
metadata: {name: a, deletionTimestamp: "2026-01-01T00:00:00Z"}`);
    expect(readinessOf(object)).toEqual({ ready: false, failed: false, reason: 'is being deleted' });
  });

  test('does not take a namespace for ready that is terminating', () => {
    const namespace = (phase: string) =>
      readinessOf(
        yamlObject(`{apiVersion: v1, kind: Namespace, metadata: {name: a}, status: {phase: ${phase}}}`),
      );
    expect([namespace('Active').ready, namespace('Terminating').ready]).toEqual([true, false]);
  });

  test('does not wait for a load balancer, which many clusters never provide', () => {
    const service = yamlObject(`
apiVersion: v1
kind: Service
metadata: {name: kourier}
spec: {type: LoadBalancer}
status: {loadBalancer: {}}`);
    expect(readinessOf(service).ready).toBe(true);
  });
});

describe('isWorkload', () => {
  test.each([
    ['apps/v1', 'Deployment', true],
    ['apps/v1', 'StatefulSet', true],
    ['apps/v1', 'DaemonSet', true],
    ['batch/v1', 'Job', true],
    ['serving.knative.dev/v1', 'Deployment', false],
    ['apps/v1', 'ReplicaSet', false],
    ['v1', 'Service', false],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', false],
  ])('answers for %s %s: %s', (apiVersion, kind, wanted) => {
    expect(isWorkload({ apiVersion, kind, metadata: { name: 'a' } })).toBe(wanted);
  });
});
