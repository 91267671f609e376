import { z } from 'zod';

import { atomic, LabelSelector } from './label-selector.ts';

/** A toleration as in core/v1. */
export const Toleration = z
  .object({
    effect: z.string().optional().describe('NoSchedule, PreferNoSchedule or NoExecute; all when empty.'),
    key: z.string().optional(),
    operator: z.string().optional().describe('Equal or Exists.'),
    tolerationSeconds: z.int().optional(),
    value: z.string().optional(),
  })
  .describe('A taint that the pods bear.');
export type Toleration = z.output<typeof Toleration>;

/** A topology spread constraint as in core/v1. */
export const TopologySpreadConstraint = z
  .object({
    labelSelector: LabelSelector.optional(),
    matchLabelKeys: z.array(z.string()).optional().meta(atomic),
    maxSkew: z.int32().describe('Largest difference in pods between two places.'),
    minDomains: z.int32().optional(),
    nodeAffinityPolicy: z.string().optional().describe('Honor or Ignore.'),
    nodeTaintsPolicy: z.string().optional().describe('Honor or Ignore.'),
    topologyKey: z.string().describe('Node label whose value is the place.'),
    whenUnsatisfiable: z.string().describe('DoNotSchedule or ScheduleAnyway.'),
  })
  .describe('How pods are spread over places.');
export type TopologySpreadConstraint = z.output<typeof TopologySpreadConstraint>;
