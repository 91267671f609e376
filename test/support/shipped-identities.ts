import { resolve } from 'node:path';

import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import { operatorNamespace } from '../../dev/operator/prepare-hub.ts';
import { serviceAccountToken } from '../../dev/operator/service-account-token.ts';
import { defaultInstallNamespaces } from '../../domain/rights/spoke-rules.ts';
import { releasedObjects } from '../../scripts/rights/released-objects.ts';
import { spokeRoleText } from '../../scripts/rights/spoke-role-text.ts';
import type { OperatorIdentities } from './operator-fleet.ts';
import { testReleases } from './operator-fleet.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

/** Names of the accounts in audit events. */
export const accounts = {
  spoke: 'system:serviceaccount:knative-fleet:knative-fleet',
  worker: `system:serviceaccount:${operatorNamespace}:knative-fleet-worker`,
  starter: `system:serviceaccount:${operatorNamespace}:knative-fleet-starter`,
} as const;

/** Gives the operator an account on each spoke and two on the hub, bound to exactly the shipped roles. */
export async function shippedIdentities(fleet: Fleet): Promise<OperatorIdentities> {
  const spokes = await Promise.all(
    fleet.spokes.map(async (spoke) => [spoke.name, await shippedSpokeIdentity(spoke)] as const),
  );
  await applyRoles(fleet.hub);
  await kubectl(fleet.hub, ['apply', '-f', `${deploy}/hub/cluster-role.yaml`]);
  for (const [command, ...more] of hubBindings) await kubectl(fleet.hub, ['create', command, ...more]);
  const namespace = operatorNamespace;
  return {
    worker: await serviceAccountToken(fleet.hub, { namespace, name: 'knative-fleet-worker' }),
    starter: await serviceAccountToken(fleet.hub, { namespace, name: 'knative-fleet-starter' }),
    spokes: new Map(spokes),
  };
}

/** Makes the shipped account on a spoke, bound to exactly the shipped roles; returns its token. */
export async function shippedSpokeIdentity(spoke: Cluster): Promise<string> {
  await applyRoles(spoke);
  await kubectl(spoke, ['apply', '-f', `${deploy}/spoke/service-account.yaml`]);
  return serviceAccountToken(spoke, { namespace: 'knative-fleet', name: 'knative-fleet' });
}

/** Whether something found on a spoke belongs to the shipped account, not to an installation. */
export function isIdentity(remnant: string): boolean {
  return /[ /]knative-fleet-(spoke|namespace-removal|token)$/.test(remnant);
}

const worker = ['-n', operatorNamespace, `--serviceaccount=${operatorNamespace}:knative-fleet-worker`];
const starter = [`--serviceaccount=${operatorNamespace}:knative-fleet-starter`];

/** The starter, the worker, the worker's plugins, and the worker as installer on the hub itself. */
const hubBindings: readonly (readonly [string, ...string[]])[] = [
  ['serviceaccount', 'knative-fleet-worker', '-n', operatorNamespace],
  ['serviceaccount', 'knative-fleet-starter', '-n', operatorNamespace],
  ['clusterrolebinding', 'starter', '--clusterrole=knative-fleet-starter', ...starter],
  ['rolebinding', 'starter', '-n', operatorNamespace, '--role=knative-fleet-starter', ...starter],
  ['clusterrolebinding', 'worker', '--clusterrole=knative-fleet-worker', ...worker],
  ['rolebinding', 'worker', '--role=knative-fleet-worker', ...worker],
  ['role', 'plugins', '-n', operatorNamespace, '--verb=get', '--resource=secrets'],
  ['rolebinding', 'plugins', '--role=plugins', ...worker],
  ['clusterrolebinding', 'local', '--clusterrole=knative-fleet-spoke', ...worker.slice(2)],
  ['rolebinding', 'local', '-n', 'default', '--role=knative-fleet-spoke', ...worker.slice(2)],
];

/** The shipped file; where only the sample releases are at hand, one made from those in the same way. */
async function applyRoles(cluster: Cluster): Promise<void> {
  if (testReleases.real) {
    await kubectl(cluster, ['apply', '-f', `${deploy}/spoke/cluster-role.yaml`]);
    return;
  }
  const objects = await releasedObjects({ releases: testReleases.root });
  const text = spokeRoleText([], { objects, installNamespaces: defaultInstallNamespaces });
  await kubectl(cluster, ['apply', '-f', '-'], text);
}
