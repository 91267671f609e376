/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A rule with everything sorted, so that generated files do not depend on the order of manifests. */
export function policyRule(
  group: string,
  resources: Iterable<string>,
  verbs: readonly string[],
  names?: Iterable<string>,
): PolicyRule {
  return {
    apiGroups: [group],
    resources: [...new Set(resources)].toSorted(),
    ...(names === undefined ? {} : { resourceNames: [...new Set(names)].toSorted() }),
    verbs,
  };
}
