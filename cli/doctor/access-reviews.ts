import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { claimNamespace } from '../../domain/api/wire-names.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import {
  starterNamespaceRules,
  starterRules,
  workerNamespaceRules,
  workerRules,
} from '../../domain/rights/hub-rules.ts';
import type { PolicyRule } from '../../domain/rights/policy-rule.ts';
import { claimRules, spokeRules } from '../../domain/rights/spoke-rules.ts';

/** One right that is needed. An absent namespace means all, an absent name every object. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What the shipped role of the worker grants on the hub. */
export function workerRights(operatorNamespace: string): readonly Right[] {
  return [...rightsOf(workerRules), ...rightsOf(workerNamespaceRules, operatorNamespace)];
}

/** What the shipped role of the starter grants on the hub. */
export function starterRights(operatorNamespace: string): readonly Right[] {
  return [...rightsOf(starterRules), ...rightsOf(starterNamespaceRules, operatorNamespace)];
}

/** What the shipped role grants on a spoke whatever is installed; the rest names the objects of the releases. */
export const spokeRights: readonly Right[] = [
  ...rightsOf(spokeRules({ objects: [], installNamespaces: [] })),
  ...rightsOf(claimRules(), claimNamespace),
];

function rightsOf(rules: readonly PolicyRule[], namespace?: string): readonly Right[] {
  const within = namespace === undefined ? {} : { namespace };
  return rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((path) => {
        const [resource = '', subresource] = path.split('/');
        const target = { group, resource, ...(subresource === undefined ? {} : { subresource }), ...within };
        const named = resourceNames?.map((name) => ({ ...target, name })) ?? [target];
        return named.flatMap((each) => verbs.map((verb) => ({ verb, ...each })));
      }),
    ),
  );
}

/** The rights that the client's own account does not have, as people write them. */
export async function missingRights(
  client: ClusterClient,
  wanted: readonly Right[],
): Promise<readonly string[]> {
  const allowed = await Promise.all(wanted.map((right) => isAllowed(client, right)));
  return wanted.filter((_, index) => allowed[index] !== true).map(describeRight);
}

async function isAllowed(client: ClusterClient, right: Right): Promise<boolean> {
  const review: ManifestObject = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: {},
    spec: { resourceAttributes: right },
  };
  return recordAt(await client.create(review), 'status')['allowed'] === true;
}

function describeRight({ verb, group, resource, subresource, namespace, name }: Right): string {
  const path = `${resource}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  const which = name === undefined ? '' : ` ${name}`;
  return `${verb} ${path}${which}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

const maxNamed = 6;

/** A list that fits on a line. */
export function describeMissing(missing: readonly string[]): string {
  const more = missing.length > maxNamed ? `, and ${String(missing.length - maxNamed)} more` : '';
  return `may not ${missing.slice(0, maxNamed).join(', ')}${more}`;
}
