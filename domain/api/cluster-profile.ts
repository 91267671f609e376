import { z } from 'zod';

import { OperatorError } from '../errors.ts';
import { stringAt } from '../manifests/object.ts';
import { describeIssue } from './describe-issue.ts';

const text = z.string().optional();

/** A cluster as kubeconfig v1 describes it, with its dashed names. */
export const ProfileCluster = z.object({
  server: z.string().default(''),
  'tls-server-name': text,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'certificate-authority': text.describe('Path of a file; never read unless allowed by configuration.'),
  'certificate-authority-data': text.describe('base64 of PEM.'),
  'proxy-url': text,
  'disable-compression': z.boolean().optional(),
  extensions: z
    .array(z.object({ name: z.string(), extension: z.unknown() }))
    .nullish()
    .transform((list) => list ?? []),
});
export type ProfileCluster = z.output<typeof ProfileCluster>;

/** One way to reach the cluster; a provider of the same name in the provider file knows the credentials. */
export const ProfileAccessProvider = z.object({
  name: z.string(),
  cluster: ProfileCluster.optional(),
});
export type ProfileAccessProvider = z.output<typeof ProfileAccessProvider>;

const providers = z
  .array(ProfileAccessProvider)
  .nullish()
  .transform((list) => list ?? []);

const ProfileCondition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().default(''),
  message: z.string().default(''),
});

const ProfileStatus = z.object({
  conditions: z
    .array(ProfileCondition)
    .nullish()
    .transform((list) => list ?? []),
  version: z.object({ kubernetes: text }).optional(),
  accessProviders: providers,
  credentialProviders: providers.describe('Deprecated name of accessProviders, which win on an equal name.'),
});

/**
 * The part of a ClusterProfile (group `multicluster.x-k8s.io`) that is read. Tolerant: a profile without status is
 * one that nobody reports on yet, and unknown fields are left out.
 */
export const ClusterProfile = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string(),
    uid: z.string().default(''),
    resourceVersion: z.string().default(''),
  }),
  spec: z
    .object({ displayName: text, clusterManager: z.object({ name: z.string().default('') }).optional() })
    .default({}),
  status: ProfileStatus.default({ conditions: [], accessProviders: [], credentialProviders: [] }),
});
export type ClusterProfile = z.output<typeof ClusterProfile>;

/** API facts of ClusterProfile. */
export const clusterProfileApi = {
  group: 'multicluster.x-k8s.io',
  /** Understood, in the order of preference; a hub may serve any of them. */
  versions: ['v1alpha1', 'v1alpha2', 'v1beta1'],
  kind: 'ClusterProfile',
  plural: 'clusterprofiles',
  healthCondition: 'ControlPlaneHealthy',
} as const;

/** Throws ClusterProfileUnavailable with every problem and its path. */
export function parseClusterProfile(object: unknown): ClusterProfile {
  const result = ClusterProfile.safeParse(object);
  if (result.success) return result.data;
  const name = `${stringAt(object, 'metadata', 'namespace') ?? ''}/${stringAt(object, 'metadata', 'name') ?? ''}`;
  const problems = result.error.issues.map(describeIssue).join('; ');
  throw new OperatorError(
    'ClusterProfileUnavailable',
    `ClusterProfile ${name} cannot be read; have its cluster manager correct these fields: ${problems}`,
  );
}
