import { z } from 'zod';

const quantityPattern =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;

/** A count or a text such as a percentage; on the wire a Kubernetes int-or-string. */
export const IntOrString = z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true });
export type IntOrString = z.output<typeof IntOrString>;

/** A Kubernetes quantity such as `100m`, `1.5Gi` or `2`; numbers must be whole. */
export const Quantity = z
  .union([z.int(), z.string().regex(quantityPattern, 'is not a quantity such as 100m, 1.5Gi or 2')])
  .meta({ 'x-kubernetes-int-or-string': true, pattern: quantityPattern.source });
export type Quantity = z.output<typeof Quantity>;
