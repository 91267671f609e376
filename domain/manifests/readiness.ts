import type { JsonRecord, ManifestObject } from './object.ts';
import { groupOf, isRecord, listAt, recordAt, stringAt } from './object.ts';

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

type Rule = (object: ManifestObject) => Readiness;

const workloadRules: Readonly<Record<string, Rule>> = {
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'apps/DaemonSet': daemonSet,
  'batch/Job': job,
};

const otherRules: Readonly<Record<string, Rule>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'apiregistration.k8s.io/APIService': apiService,
  '/Namespace': namespace,
};

/** Whether an install waits for the object. */
export function isWorkload(object: ManifestObject): boolean {
  return typeOf(object) in workloadRules;
}

/**
 * Whether a live object is ready, by the rules of kstatus made stricter: a status that was not computed for the present
 * generation never counts, so an upgrade is not ready while old Pods still are. Kinds without a rule are ready once
 * they exist; that holds for a Service of type LoadBalancer too, because many clusters never give it an address and
 * the Go operator does not wait for one either.
 */
export function readinessOf(object: ManifestObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return pending('is being deleted');
  const type = typeOf(object);
  const rule = workloadRules[type] ?? otherRules[type];
  return rule === undefined ? ready : rule(object);
}

function typeOf({ apiVersion, kind }: ManifestObject): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

const notSeen = 'the controller has not seen the present generation';

function deployment(object: ManifestObject): Readiness {
  const status = recordAt(object, 'status');
  if (!isObserved(object)) return pending(notSeen);
  const progressing = condition(object, 'Progressing');
  if (progressing['reason'] === 'ProgressDeadlineExceeded') {
    return failure('the rollout exceeded its progress deadline');
  }
  const wanted = count(recordAt(object, 'spec'), 'replicas', 1);
  const updated = count(status, 'updatedReplicas');
  return firstOf([
    [updated >= wanted, 'replicas are being updated'],
    [count(status, 'replicas') <= wanted, 'replicas that are too many are ending'],
    [count(status, 'availableReplicas') >= updated, 'replicas are not available yet'],
    [count(status, 'readyReplicas') >= wanted, 'replicas are not ready yet'],
    [isRolledOut(object, progressing), 'the rollout is not complete'],
    [isTrue(condition(object, 'Available')), 'is not available'],
  ]);
}

/** Without a progress deadline the controller keeps no record of the rollout. */
const noDeadline = 2 ** 31 - 1;

function isRolledOut(object: ManifestObject, progressing: JsonRecord): boolean {
  const deadline = count(recordAt(object, 'spec'), 'progressDeadlineSeconds', noDeadline);
  return (
    deadline === noDeadline || (isTrue(progressing) && progressing['reason'] === 'NewReplicaSetAvailable')
  );
}

function statefulSet(object: ManifestObject): Readiness {
  const status = recordAt(object, 'status');
  if (!isObserved(object)) return pending(notSeen);
  const strategy = recordAt(object, 'spec', 'updateStrategy');
  if (strategy['type'] === 'OnDelete') return ready;
  const wanted = count(recordAt(object, 'spec'), 'replicas', 1);
  const partition = count(recordAt(strategy, 'rollingUpdate'), 'partition');
  const rolledOut =
    partition > 0
      ? count(status, 'updatedReplicas') >= wanted - partition
      : count(status, 'currentReplicas') >= wanted && status['currentRevision'] === status['updateRevision'];
  return firstOf([
    [count(status, 'replicas') >= wanted, 'replicas are being created'],
    [count(status, 'replicas') <= wanted, 'replicas that are too many are ending'],
    [count(status, 'readyReplicas') >= wanted, 'replicas are not ready yet'],
    [rolledOut, 'replicas are being updated'],
  ]);
}

function daemonSet(object: ManifestObject): Readiness {
  const status = recordAt(object, 'status');
  if (!isObserved(object) || status['desiredNumberScheduled'] === undefined) return pending(notSeen);
  const wanted = count(status, 'desiredNumberScheduled');
  return firstOf([
    [count(status, 'currentNumberScheduled') >= wanted, 'Pods are being created'],
    [count(status, 'updatedNumberScheduled') >= wanted, 'Pods are being updated'],
    [count(status, 'numberAvailable') >= wanted, 'Pods are not available yet'],
    [count(status, 'numberReady') >= wanted, 'Pods are not ready yet'],
  ]);
}

function job(object: ManifestObject): Readiness {
  const failed = condition(object, 'Failed');
  if (isTrue(condition(object, 'Complete'))) return ready;
  if (isTrue(failed)) return failure(`failed: ${because(failed)}`);
  const suspended = recordAt(object, 'spec')['suspend'] === true && isTrue(condition(object, 'Suspended'));
  return suspended ? ready : pending('has not completed');
}

function definition(object: ManifestObject): Readiness {
  const established = condition(object, 'Established');
  const named = condition(object, 'NamesAccepted');
  if (isTrue(condition(object, 'Terminating'))) return pending('is being deleted');
  if (isFalse(named)) return failure(`its names are not accepted: ${because(named)}`);
  if (isTrue(established)) return ready;
  return isFalse(established) && established['reason'] !== 'Installing'
    ? failure(`is not established: ${because(established)}`)
    : pending('is not established yet');
}

function apiService(object: ManifestObject): Readiness {
  const available = condition(object, 'Available');
  return isTrue(available) ? ready : pending(`is not available: ${because(available)}`);
}

function namespace(object: ManifestObject): Readiness {
  return recordAt(object, 'status')['phase'] === 'Terminating' ? pending('is being deleted') : ready;
}

function isObserved(object: ManifestObject): boolean {
  const observed = recordAt(object, 'status')['observedGeneration'];
  return typeof observed === 'number' && observed === object.metadata.generation;
}

/** The condition of that type, empty when there is none. */
function condition(object: ManifestObject, type: string): JsonRecord {
  const found = listAt(object, 'status', 'conditions').find(
    (candidate) => stringAt(candidate, 'type') === type,
  );
  return isRecord(found) ? found : {};
}

function isTrue(found: JsonRecord): boolean {
  return found['status'] === 'True';
}

function isFalse(found: JsonRecord): boolean {
  return found['status'] === 'False';
}

function because(found: JsonRecord): string {
  return stringAt(found, 'message') || stringAt(found, 'reason') || 'no reason given';
}

function count(record: JsonRecord, field: string, absent = 0): number {
  const value = record[field];
  return typeof value === 'number' ? value : absent;
}

function firstOf(checks: readonly (readonly [boolean, string])[]): Readiness {
  const missing = checks.find(([holds]) => !holds);
  return missing === undefined ? ready : pending(missing[1]);
}
