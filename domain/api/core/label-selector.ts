import { z } from 'zod';

/** A list that server-side apply replaces as a whole. */
export const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;

/** A map that server-side apply replaces as a whole. */
export const atomicMap = { 'x-kubernetes-map-type': 'atomic' } as const;

/** A requirement on a label: of an object, or of a node. */
export const LabelRequirement = z
  .object({
    key: z.string().describe('Label key.'),
    operator: z.string().describe('In, NotIn, Exists or DoesNotExist; for nodes also Gt and Lt.'),
    values: z.array(z.string()).optional().meta(atomic),
  })
  .describe('A requirement on a label.');
export type LabelRequirement = z.output<typeof LabelRequirement>;

export const LabelSelector = z
  .object({
    matchExpressions: z.array(LabelRequirement).optional().meta(atomic),
    matchLabels: z.record(z.string(), z.string()).optional(),
  })
  .meta(atomicMap)
  .describe('Selects objects by labels; all requirements must hold.');
export type LabelSelector = z.output<typeof LabelSelector>;
