import { z } from 'zod';

import type { ComponentKind } from './component-ref.ts';
import { componentApi } from './component-ref.ts';

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const namespaceName = z
  .string()
  .min(1)
  .max(63)
  .regex(dnsLabel, 'is not a namespace name: lower-case letters, digits and dashes, at most 63 characters');

const profileName = z
  .string()
  .min(1)
  .max(253)
  .regex(
    dnsSubdomain,
    'is not the name of a ClusterProfile: lower-case letters, digits, dashes and dots, at most 253',
  );

/** `spec.clusterProfileRef` as released in 1.22, with the rules of that release. */
export const ClusterProfileRef = z
  .object({
    name: z.string().min(1).describe('Name of the ClusterProfile.'),
    namespace: z.string().min(1).describe('Namespace of the ClusterProfile.'),
  })
  .describe(
    'Installs on the cluster that this ClusterProfile describes, into the namespace of the kind. Released in 1.22; use destination instead. Immutable.',
  );
export type ClusterProfileRef = z.output<typeof ClusterProfileRef>;

/** `spec.destination` of a kind; an absent namespace is filled in by the API server with the one of the kind. */
export function destinationField(kind: ComponentKind) {
  const { defaultNamespace } = componentApi[kind];
  return z
    .object({
      clusterProfileRef: z
        .object({
          name: profileName.describe('Name of the ClusterProfile.'),
          namespace: namespaceName.describe('Namespace of the ClusterProfile on this cluster.'),
        })
        .describe('The ClusterProfile that describes the cluster to install on.'),
      namespace: namespaceName
        .default(defaultNamespace)
        .describe(`Namespace on that cluster to install into; ${defaultNamespace} when absent.`),
    })
    .describe(
      'Installs on another cluster. Immutable: to move, delete the resource and create it again. When absent, this cluster and the namespace of the resource.',
    );
}
