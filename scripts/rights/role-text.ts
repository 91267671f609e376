import { stringify } from 'yaml';

import type { PolicyRule } from '../../domain/rights/policy-rule.ts';

export interface RoleDeclaration {
  readonly name: string;
  /** A Role of this namespace; without it a ClusterRole. */
  readonly namespace?: string;
  readonly rules: readonly PolicyRule[];
}

/** Roles as one YAML file, ready for kubectl apply; bindings are the user's. `heading` goes on top as a comment. */
export function rolesText(heading: readonly string[], roles: readonly RoleDeclaration[]): string {
  const comment = heading.map((line) => `# ${line}\n`).join('');
  return `${comment}${roles.map((role) => yamlText(roleObject(role))).join('---\n')}`;
}

/** In the YAML version that kubectl and Helm read. */
export function yamlText(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 120, aliasDuplicateObjects: false });
}

function roleObject({ name, namespace, rules }: RoleDeclaration): object {
  const labels = { 'app.kubernetes.io/name': 'knative-fleet' };
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
    rules,
  };
}
