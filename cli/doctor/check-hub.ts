import { onHub } from '../../adapters/hub/components.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { clusterProfileApi } from '../../domain/api/cluster-profile.ts';
import { componentApi, componentKinds } from '../../domain/api/component-ref.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { messageOf } from '../../domain/errors.ts';
import { isRecord, listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { Session } from '../session.ts';
import { hubRights, missingRights } from './access-reviews.ts';
import type { Finding } from './finding.ts';
import { finding, ok, problem, skipped } from './finding.ts';

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
    await onHub(() => client.serves('v1', 'Namespace'));
    return ok(subject, `answers, Kubernetes ${version}`);
  });
  if (answers.state !== 'ok') return [answers];
  return [
    answers,
    ...(await Promise.all([
      ...componentKinds.map((kind) => checkCrd(client, kind)),
      checkProfileCrd(session, client),
      checkOperatorNamespace(session, client),
      checkRights(session, client),
    ])),
  ];
}

const applyCrds = 'apply the CRDs that ship with this version: kubectl apply --server-side -f deploy/crds';

async function checkCrd(client: ClusterClient, kind: ComponentKind): Promise<Finding> {
  const name = `${componentApi[kind].plural}.${componentApi.group}`;
  const subject = { check: 'hub.crd', object: name };
  return finding(subject, 'see that this account may read CustomResourceDefinitions', async () => {
    const ref = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name };
    const crd = await client.get(ref);
    if (crd === undefined) return problem(subject, 'is not installed', applyCrds);
    if (!(await client.serves(componentApi.apiVersion, kind))) {
      return problem(subject, `does not serve ${componentApi.version}; look at its conditions`, applyCrds);
    }
    const version = listAt(crd, 'spec', 'versions').find(
      (each) => isRecord(each) && stringAt(each, 'name') === componentApi.version,
    );
    const spec = recordAt(version, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties');
    const missing = ['destination', 'deletion'].filter((field) => spec[field] === undefined);
    if (missing.length === 0) return ok(subject, `serves ${componentApi.version}`);
    return problem(subject, `is of another version: it lacks spec.${missing.join(' and spec.')}`, applyCrds);
  });
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
    const found = await client.get({ apiVersion: 'v1', kind: 'Namespace', name }, { metadataOnly: true });
    return found === undefined ? problem(subject, 'does not exist', advice) : ok(subject, 'exists');
  });
}

const maxNamed = 6;

async function checkRights(session: Session, client: ClusterClient): Promise<Finding> {
  const subject = { check: 'hub.rights', object: client.server };
  const advice =
    'grant the hub role of this software to the account; run this with the account of the worker';
  return finding(subject, advice, async () => {
    const wanted = hubRights(session.operatorNamespace, session.providerFile !== undefined);
    const missing = await missingRights(client, wanted);
    if (missing.length === 0)
      return ok(subject, `this account has all ${String(wanted.length)} that are needed`);
    const more = missing.length > maxNamed ? `, and ${String(missing.length - maxNamed)} more` : '';
    return problem(subject, `this account may not ${missing.slice(0, maxNamed).join(', ')}${more}`, advice);
  });
}
