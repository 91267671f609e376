import { claimNamespace } from '../../domain/api/wire-names.ts';
import { namespaceRemovalRules } from '../../domain/rights/namespace-removal-rules.ts';
import type { SpokeRightsInput } from '../../domain/rights/spoke-rules.ts';
import { claimRules, spokeRules } from '../../domain/rights/spoke-rules.ts';
import { rolesText } from './role-text.ts';

/** The roles of a spoke, ready for kubectl apply; bindings are the user's. */
export function spokeRoleText(heading: readonly string[], input: SpokeRightsInput): string {
  return rolesText(heading, [
    { name: 'knative-fleet-spoke', rules: spokeRules(input) },
    { name: 'knative-fleet-spoke', namespace: claimNamespace, rules: claimRules() },
    { name: 'knative-fleet-namespace-removal', rules: namespaceRemovalRules(input.objects) },
  ]);
}
