import { z } from 'zod';

import { atomic, atomicMap, LabelRequirement, LabelSelector } from './label-selector.ts';

const NodeSelectorTerm = z
  .object({
    matchExpressions: z.array(LabelRequirement).optional().meta(atomic).describe('By node labels.'),
    matchFields: z.array(LabelRequirement).optional().meta(atomic).describe('By node fields.'),
  })
  .meta(atomicMap);

const NodeAffinity = z
  .object({
    preferredDuringSchedulingIgnoredDuringExecution: z
      .array(z.object({ preference: NodeSelectorTerm, weight: z.int32().describe('1 to 100.') }))
      .optional()
      .meta(atomic),
    requiredDuringSchedulingIgnoredDuringExecution: z
      .object({ nodeSelectorTerms: z.array(NodeSelectorTerm).meta(atomic).describe('One must hold.') })
      .optional()
      .meta(atomicMap),
  })
  .describe('Which nodes a pod may or should run on.');

const PodAffinityTerm = z.object({
  labelSelector: LabelSelector.optional().describe('Pods that the term is about.'),
  matchLabelKeys: z.array(z.string()).optional().meta(atomic),
  mismatchLabelKeys: z.array(z.string()).optional().meta(atomic),
  namespaceSelector: LabelSelector.optional().describe('Namespaces of those pods, by label.'),
  namespaces: z.array(z.string()).optional().meta(atomic).describe('Namespaces of those pods, by name.'),
  topologyKey: z.string().describe('Node label whose value is the place that is shared or avoided.'),
});

const PodAffinity = z
  .object({
    preferredDuringSchedulingIgnoredDuringExecution: z
      .array(z.object({ podAffinityTerm: PodAffinityTerm, weight: z.int32().describe('1 to 100.') }))
      .optional()
      .meta(atomic),
    requiredDuringSchedulingIgnoredDuringExecution: z.array(PodAffinityTerm).optional().meta(atomic),
  })
  .describe('Which pods a pod runs close to, or away from.');

/** Affinity as in core/v1. */
export const Affinity = z
  .object({
    nodeAffinity: NodeAffinity.optional(),
    podAffinity: PodAffinity.optional(),
    podAntiAffinity: PodAffinity.optional(),
  })
  .describe('Scheduling affinity of the pods.');
export type Affinity = z.output<typeof Affinity>;
