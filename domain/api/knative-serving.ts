import { z } from 'zod';

import { IngressOptions } from '../serving/ingress/ingresses.ts';
import { componentApi } from './component-ref.ts';
import { componentSpecFields } from './component-spec.ts';
import { ComponentStatusFields } from './component-status.ts';
import { destinationField } from './destination-fields.ts';
import { ResourceMetadata } from './resource-metadata.ts';
import { namesOneDestination } from './resource-rules.ts';

/** Certificates that the Serving controller trusts in addition, when it asks registries for image digests. */
export const ControllerCustomCerts = z
  .object({
    type: z.string().describe('ConfigMap or Secret.'),
    name: z.string().describe('Name of the ConfigMap or Secret, in the install namespace.'),
  })
  .describe('Certificates of registries that the controller trusts in addition.');
export type ControllerCustomCerts = z.output<typeof ControllerCustomCerts>;

/** The child may be missing; the Go operator's schema asks for it. */
export const SecurityOptions = z
  .object({
    securityGuard: z
      .object({ enabled: z.boolean().describe('Installs security-guard.') })
      .optional()
      .describe('Security guard.'),
  })
  .describe('Security extensions.');
export type SecurityOptions = z.output<typeof SecurityOptions>;

export const KnativeServingSpec = z
  .object({
    ...componentSpecFields,
    destination: destinationField('KnativeServing').optional(),
    ingress: IngressOptions.optional(),
    'controller-custom-certs': ControllerCustomCerts.optional(),
    security: SecurityOptions.optional(),
  })
  .describe('Wanted state of Knative Serving.');
export type KnativeServingSpec = z.output<typeof KnativeServingSpec>;

/** A KnativeServing resource. */
export const KnativeServing = z
  .object({
    apiVersion: z.literal(componentApi.apiVersion),
    kind: z.literal('KnativeServing'),
    metadata: ResourceMetadata,
    spec: KnativeServingSpec.optional(),
    status: ComponentStatusFields.optional(),
  })
  .refine(...namesOneDestination)
  .describe('Installs Knative Serving on this or another cluster and keeps it that way.');
export type KnativeServing = z.output<typeof KnativeServing>;
