import { defaultBroker } from '../eventing/default-broker.ts';
import { sinkBinding } from '../eventing/sink-binding.ts';
import type { ManifestObject } from '../manifests/object.ts';
import type { EventingContext, ServingContext, Transform, TransformContext } from '../manifests/transform.ts';
import { transformObject } from '../manifests/transform.ts';
import { customCerts } from '../serving/custom-certs.ts';
import { ingressService } from '../serving/ingress/ingress-service.ts';
import { selectedIngresses } from '../serving/ingress/ingresses.ts';
import { securityGuard } from '../serving/security-guard.ts';
import { configMaps } from './config-maps.ts';
import { deprecatedResources } from './deprecated-resources.ts';
import { highAvailability } from './high-availability.ts';
import { images } from './images.ts';
import { jobs } from './jobs.ts';
import { minimumVersion } from './minimum-version.ts';
import { nameLabel } from './name-label.ts';
import { namespaceConfiguration } from './namespace-configuration.ts';
import { namespaceInjection } from './namespace-injection.ts';
import { owner } from './owner.ts';
import { podDisruptionBudgets } from './pod-disruption-budgets.ts';
import { services } from './services.ts';
import { workloads } from './workloads.ts';

/**
 * What both components go through, in order. Each object passes the whole list before the next one starts.
 */
const commonTransforms: readonly Transform[] = [
  // First: everything below sees the final namespace.
  namespaceInjection,
  namespaceConfiguration,
  // Before the overrides, which win over it.
  highAvailability,
  // Before jobs, since image keys name a Job by its generateName; before configMaps, so that spec.config wins.
  images,
  jobs,
  configMaps,
  // Before the overrides, which may change the variable.
  minimumVersion,
  deprecatedResources,
  workloads,
  services,
  podDisruptionBudgets,
  // After namespaceInjection: only what has a namespace has an owner.
  owner,
];

const servingTransforms: readonly Transform<ServingContext>[] = [
  ...commonTransforms,
  // After the overrides: its SSL_CERT_DIR wins over theirs.
  customCerts,
  nameLabel,
];

/** They change what the common ones left: the namespace, the environment, the owner. */
const afterIngresses: readonly Transform<ServingContext>[] = [ingressService, securityGuard];

const eventingTransforms: readonly Transform<EventingContext>[] = [
  ...commonTransforms,
  // After configMaps: it completes a document that spec.config may have replaced.
  defaultBroker,
  // After the overrides: it repeats their value in all containers.
  sinkBinding,
  nameLabel,
];

/** The transforms for one release, as one function over an object. */
export function pipelineFor(context: TransformContext): (object: ManifestObject) => ManifestObject {
  if (context.kind === 'KnativeEventing') {
    return (object) => transformObject(object, eventingTransforms, context);
  }
  const ingressTransforms = selectedIngresses(context.spec.ingress).flatMap(({ transforms }) => transforms);
  const transforms = [...servingTransforms, ...ingressTransforms, ...afterIngresses];
  return (object) => transformObject(object, transforms, context);
}
