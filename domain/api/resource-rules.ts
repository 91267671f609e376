/** A rule that the API server checks on the whole resource, in its expression language CEL. */
export interface ResourceRule {
  readonly rule: string;
  readonly message: string;
  /** Field that the refusal names. */
  readonly fieldPath: string;
}

/** Refusal of a resource with both spellings, by the API server and by the code. */
export const bothDestinationsMessage =
  'spec.destination and spec.clusterProfileRef cannot be used together; keep spec.destination only';

interface WithDestinations {
  readonly spec?: { readonly destination?: unknown; readonly clusterProfileRef?: unknown } | undefined;
}

/** The last rule of {@link resourceRules} for the code; the others compare with what was there before. */
export const namesOneDestination = [
  ({ spec }: WithDestinations) => spec?.destination === undefined || spec.clusterProfileRef === undefined,
  { message: bothDestinationsMessage, path: ['spec', 'clusterProfileRef'] as string[] },
] as const;

const has = (resource: string, field: string) => `(has(${resource}.spec) && has(${resource}.spec.${field}))`;

const presenceIsKept = (field: string) => `${has('self', field)} == ${has('oldSelf', field)}`;

const valueIsKept = (field: string) =>
  `!${has('self', field)} || !${has('oldSelf', field)} || self.spec.${field} == oldSelf.spec.${field}`;

/**
 * Where a component is installed never changes. The rules stand at the root of the resource: rules on `spec` are not
 * asked about a resource that had no `spec`, nor when the whole `spec` is dropped, and rules on the field itself are
 * not asked when the field is removed and added again. The two messages for `clusterProfileRef` are those of 1.22.
 */
export const resourceRules: readonly ResourceRule[] = [
  {
    rule: presenceIsKept('destination'),
    message:
      'spec.destination cannot be added or removed after creation; to move the component, delete the resource and create it again',
    fieldPath: '.spec.destination',
  },
  {
    rule: valueIsKept('destination'),
    message:
      'spec.destination is immutable; to move the component, delete the resource and create it again with the new destination',
    fieldPath: '.spec.destination',
  },
  {
    rule: presenceIsKept('clusterProfileRef'),
    message: 'spec.clusterProfileRef cannot be added or removed after creation',
    fieldPath: '.spec.clusterProfileRef',
  },
  {
    rule: valueIsKept('clusterProfileRef'),
    message: 'spec.clusterProfileRef is immutable',
    fieldPath: '.spec.clusterProfileRef',
  },
  {
    rule: `!${has('self', 'destination')} || !${has('self', 'clusterProfileRef')}`,
    message: bothDestinationsMessage,
    fieldPath: '.spec.clusterProfileRef',
  },
];
