import { z } from 'zod';

import { SourceOptions } from '../eventing/sources.ts';
import { componentApi } from './component-ref.ts';
import { componentSpecFields } from './component-spec.ts';
import { ComponentStatusFields } from './component-status.ts';
import { destinationField } from './destination-fields.ts';
import { ResourceMetadata } from './resource-metadata.ts';
import { namesOneDestination } from './resource-rules.ts';

export const KnativeEventingSpec = z
  .object({
    ...componentSpecFields,
    destination: destinationField('KnativeEventing').optional(),
    defaultBrokerClass: z
      .string()
      .optional()
      .describe('Broker class that brokers without one get; MTChannelBasedBroker when empty.'),
    sinkBindingSelectionMode: z
      .string()
      .optional()
      .describe('Which namespaces and objects SinkBinding acts on: exclusion (the default) or inclusion.'),
    source: SourceOptions.optional(),
  })
  .describe('Wanted state of Knative Eventing.');
export type KnativeEventingSpec = z.output<typeof KnativeEventingSpec>;

/** A KnativeEventing resource. */
export const KnativeEventing = z
  .object({
    apiVersion: z.literal(componentApi.apiVersion),
    kind: z.literal('KnativeEventing'),
    metadata: ResourceMetadata,
    spec: KnativeEventingSpec.optional(),
    status: ComponentStatusFields.optional(),
  })
  .refine(...namesOneDestination)
  .describe('Installs Knative Eventing on this or another cluster and keeps it that way.');
export type KnativeEventing = z.output<typeof KnativeEventing>;
