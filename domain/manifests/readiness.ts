import type { JsonRecord, ManifestObject } from './object.ts';
import { isRecord, listAt, recordAt, stringAt } from './object.ts';

export interface Readiness {
  readonly ready: boolean;
  /** It cannot become ready without a change. */
  readonly failed: boolean;
  /** For people; empty when ready. */
  readonly reason: string;
}

const ready: Readiness = { ready: true, failed: false, reason: '' };
const pending = (reason: string): Readiness => ({ ready: false, failed: false, reason });
const failure = (reason: string): Readiness => ({ ready: false, failed: true, reason });

const workloadRules: Readonly<Record<string, (object: ManifestObject) => Readiness>> = {
  'apps/v1/Deployment': deployment,
  'apps/v1/StatefulSet': statefulSet,
  'apps/v1/DaemonSet': daemonSet,
  'batch/v1/Job': job,
};

/** Whether an install waits for the object. */
export function isWorkload(object: ManifestObject): boolean {
  return `${object.apiVersion}/${object.kind}` in workloadRules;
}

/**
 * Whether a live object is ready, by the rules of kstatus made stricter: a status that was not computed for the present
 * generation never counts, so an upgrade is not ready while old Pods still are. Objects that are no workload are ready.
 */
export function readinessOf(object: ManifestObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return pending('is being deleted');
  const rule = workloadRules[`${object.apiVersion}/${object.kind}`];
  return rule === undefined ? ready : rule(object);
}

function deployment(object: ManifestObject): Readiness {
  const status = recordAt(object, 'status');
  if (!isObserved(object)) return pending('the controller has not seen the present generation');
  if (condition(object, 'Progressing')?.['reason'] === 'ProgressDeadlineExceeded') {
    return failure('the rollout exceeded its progress deadline');
  }
  const wanted = count(recordAt(object, 'spec'), 'replicas', 1);
  const missing = firstFalse([
    [count(status, 'updatedReplicas') >= wanted, 'replicas are being updated'],
    [
      count(status, 'replicas') <= Math.max(wanted, count(status, 'updatedReplicas')),
      'old replicas are ending',
    ],
    [
      count(status, 'availableReplicas') >= count(status, 'updatedReplicas'),
      'replicas are not available yet',
    ],
    [count(status, 'readyReplicas') >= wanted, 'replicas are not ready yet'],
    [condition(object, 'Available')?.['status'] === 'True', 'is not available'],
  ]);
  return missing === undefined ? ready : pending(missing);
}

function statefulSet(object: ManifestObject): Readiness {
  const status = recordAt(object, 'status');
  if (!isObserved(object)) return pending('the controller has not seen the present generation');
  const strategy = recordAt(object, 'spec', 'updateStrategy');
  if (strategy['type'] === 'OnDelete') return ready;
  const wanted = count(recordAt(object, 'spec'), 'replicas', 1);
  const partition = count(recordAt(strategy, 'rollingUpdate'), 'partition');
  const rolledOut =
    partition > 0
      ? count(status, 'updatedReplicas') >= wanted - partition
      : status['currentRevision'] === status['updateRevision'];
  const missing = firstFalse([
    [count(status, 'replicas') === wanted, 'replicas are being created or removed'],
    [count(status, 'readyReplicas') >= wanted, 'replicas are not ready yet'],
    [rolledOut, 'replicas are being updated'],
  ]);
  return missing === undefined ? ready : pending(missing);
}

function daemonSet(object: ManifestObject): Readiness {
  const status = recordAt(object, 'status');
  if (!isObserved(object) || status['desiredNumberScheduled'] === undefined) {
    return pending('the controller has not seen the present generation');
  }
  const wanted = count(status, 'desiredNumberScheduled');
  const missing = firstFalse([
    [count(status, 'updatedNumberScheduled') >= wanted, 'Pods are being updated'],
    [count(status, 'numberAvailable') >= wanted, 'Pods are not available yet'],
    [count(status, 'numberReady') >= wanted, 'Pods are not ready yet'],
  ]);
  return missing === undefined ? ready : pending(missing);
}

function job(object: ManifestObject): Readiness {
  if (condition(object, 'Complete')?.['status'] === 'True') return ready;
  if (condition(object, 'Failed')?.['status'] === 'True') {
    return failure(`failed: ${stringAt(condition(object, 'Failed'), 'message') ?? 'no reason given'}`);
  }
  if (condition(object, 'Suspended')?.['status'] === 'True') return ready;
  return pending('has not completed');
}

function isObserved(object: ManifestObject): boolean {
  const observed = recordAt(object, 'status')['observedGeneration'];
  return typeof observed === 'number' && observed === object.metadata.generation;
}

function condition(object: ManifestObject, type: string): JsonRecord | undefined {
  const found = listAt(object, 'status', 'conditions').find(
    (candidate) => stringAt(candidate, 'type') === type,
  );
  return isRecord(found) ? found : undefined;
}

function count(record: JsonRecord, field: string, absent = 0): number {
  const value = record[field];
  return typeof value === 'number' ? value : absent;
}

function firstFalse(checks: readonly (readonly [boolean, string])[]): string | undefined {
  return checks.find(([holds]) => !holds)?.[1];
}
