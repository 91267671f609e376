import { onHub } from '../../adapters/hub/components.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { clusterProfileApi } from '../../domain/api/cluster-profile.ts';
import { componentApi, componentKinds } from '../../domain/api/component-ref.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import { isRecord, listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { Session } from '../session.ts';
import { describeMissing, missingRights, starterRights, workerRights } from './access-reviews.ts';
import type { Finding } from './finding.ts';
import { finding, ok, problem, skipped, warning } from './finding.ts';

/** Whether the hub answers, has what this software needs, and lets this account do it. */
export async function checkHub(session: Session): Promise<readonly Finding[]> {
  let client: ClusterClient;
  const advice = 'correct KUBECONFIG, --context or the credentials in it';
  try {
    client = await session.hub();
  } catch (error) {
    return [problem({ check: 'hub.connection', object: 'kubeconfig' }, messageOf(error), advice)];
  }
  const subject = { check: 'hub.connection', object: client.server };
  const answers = await finding(subject, advice, async () => {
    const version = await onHub(() => client.serverVersion());
    await onHub(() => client.serves('v1', 'ConfigMap'));
    return ok(subject, `answers, Kubernetes ${version}`);
  });
  if (answers.state !== 'ok') return [answers];
  return [
    answers,
    ...(await Promise.all([
      ...componentKinds.map((kind) => checkCrd(client, kind)),
      checkProfileCrd(session, client),
      checkOperatorNamespace(session, client),
      checkWorkerRights(session, client),
      checkStarterRights(session, client),
    ])),
  ];
}

const applyCrds = 'apply the CRDs that ship with this version: kubectl apply --server-side -f deploy/crds';

/** Whether the kind is served, and by a definition of this version where this account may read it. */
async function checkCrd(client: ClusterClient, kind: ComponentKind): Promise<Finding> {
  const name = `${componentApi[kind].plural}.${componentApi.group}`;
  const subject = { check: 'hub.crd', object: name };
  return finding(subject, 'see that the API server answers discovery', async () => {
    if (!(await client.serves(componentApi.apiVersion, kind))) {
      return problem(subject, `${componentApi.version} is not served`, applyCrds);
    }
    const missing = await missingFields(client, name);
    if (missing === undefined) return ok(subject, 'is served; this account may not look at the definition');
    if (missing.length === 0) return ok(subject, `serves ${componentApi.version}`);
    return problem(subject, `is of another version: it lacks spec.${missing.join(' and spec.')}`, applyCrds);
  });
}

/** Fields that definitions of other software lack. Undefined where the definition may not be read. */
async function missingFields(client: ClusterClient, name: string): Promise<readonly string[] | undefined> {
  const ref = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name };
  const crd = await unlessForbidden(client.get(ref));
  if (crd === forbidden) return undefined;
  const version = listAt(crd, 'spec', 'versions').find(
    (each) => isRecord(each) && stringAt(each, 'name') === componentApi.version,
  );
  const spec = recordAt(version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties');
  return ['destination', 'deletion'].filter((field) => spec[field] === undefined);
}

const forbidden = Symbol('forbidden');

async function unlessForbidden<T>(answer: Promise<T>): Promise<T | typeof forbidden> {
  try {
    return await answer;
  } catch (error) {
    if (isOperatorError(error, 'SpokeForbidden')) return forbidden;
    throw error;
  }
}

async function checkProfileCrd(session: Session, client: ClusterClient): Promise<Finding> {
  const subject = { check: 'hub.crd', object: `${clusterProfileApi.plural}.${clusterProfileApi.group}` };
  if (session.providerFile === undefined)
    return skipped(subject, 'no provider file: access to spokes is off');
  const advice = 'install the Cluster Inventory API, or the cluster manager that brings it';
  return finding(subject, advice, async () => {
    const kinds = await client.listableKinds();
    const served = kinds.some(
      ({ apiVersion, kind }) =>
        kind === clusterProfileApi.kind && apiVersion.startsWith(`${clusterProfileApi.group}/`),
    );
    return served ? ok(subject, 'is served') : problem(subject, 'is not installed', advice);
  });
}

async function checkOperatorNamespace(session: Session, client: ClusterClient): Promise<Finding> {
  const name = session.operatorNamespace;
  const subject = { check: 'hub.operator-namespace', object: name };
  const advice = `set OPERATOR_NAMESPACE as the worker has it, or: kubectl create namespace ${name}`;
  return finding(subject, advice, async () => {
    const ref = { apiVersion: 'v1', kind: 'Namespace', name };
    const found = await unlessForbidden(client.get(ref, { metadataOnly: true }));
    if (found === forbidden) return skipped(subject, 'this account may not look at it');
    return found === undefined ? problem(subject, 'does not exist', advice) : ok(subject, 'exists');
  });
}

async function checkWorkerRights(session: Session, client: ClusterClient): Promise<Finding> {
  const subject = { check: 'hub.rights', object: client.server };
  const advice =
    'bind the worker roles of deploy/hub/cluster-role.yaml to the account, or run this with the account of the worker';
  return finding(subject, advice, async () => {
    const wanted = workerRights(session.operatorNamespace);
    const missing = await missingRights(client, wanted);
    if (missing.length > 0) return problem(subject, `this account ${describeMissing(missing)}`, advice);
    return ok(subject, `this account has all ${String(wanted.length)} rights of the worker`);
  });
}

/** The starter may well run under another account, so this is no problem by itself. */
async function checkStarterRights(session: Session, client: ClusterClient): Promise<Finding> {
  const subject = { check: 'hub.starter-rights', object: client.server };
  const advice =
    'if the starter uses this account, bind the starter roles of deploy/hub/cluster-role.yaml to it; else nothing';
  return finding(subject, advice, async () => {
    const missing = await missingRights(client, starterRights(session.operatorNamespace));
    if (missing.length > 0) return warning(subject, `this account ${describeMissing(missing)}`, advice);
    return ok(subject, 'this account has all rights of the starter');
  });
}
