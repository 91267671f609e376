import type { ComponentResource } from '../adapters/hub/components.ts';
import { createParsedCache } from '../adapters/releases/parsed-cache.ts';
import { releaseDirectory } from '../adapters/releases/release-directory.ts';
import { createPlanner } from '../activities/plan/create-planner.ts';
import { componentApi } from '../domain/api/component-ref.ts';
import type { ComponentKind } from '../domain/api/component-ref.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { recordAt } from '../domain/manifests/object.ts';
import type { DemoReleases } from '../dev/demo/find-releases.ts';
import type { ComponentName } from './measurement.ts';

/** What is installed, and where. */
export interface BenchComponent {
  readonly name: ComponentName;
  readonly kind: ComponentKind;
  readonly version: string;
  readonly installNamespace: string;
  /** The resource on the hub. */
  readonly object: ManifestObject;
}

/** Namespace of the resources on the hub. */
export const resourceNamespace = 'platform';

/** Serving with Kourier, and Eventing, for the spoke of a ClusterProfile. */
export function benchComponents(
  releases: DemoReleases,
  profile: { readonly name: string; readonly namespace: string },
): readonly BenchComponent[] {
  const destination = { clusterProfileRef: profile };
  const serving = {
    version: releases.serving,
    destination,
    ingress: { kourier: { enabled: true } },
    config: { network: { 'ingress-class': 'kourier.ingress.networking.knative.dev' } },
  };
  const eventing = { version: releases.eventing, destination };
  return [
    component('serving', 'KnativeServing', serving),
    component('eventing', 'KnativeEventing', eventing),
  ];
}

/** The same component with more or other fields in its spec. */
export function withSpec(
  { object, ...component }: BenchComponent,
  spec: Readonly<Record<string, unknown>>,
): BenchComponent {
  const merged = { ...recordAt(object, 'spec'), ...spec };
  return { ...component, object: { ...object, spec: merged } };
}

function component(
  name: ComponentName,
  kind: ComponentKind,
  spec: { readonly version: string; readonly destination: object },
): BenchComponent {
  const installNamespace = `knative-${name}`;
  const destination = { ...spec.destination, namespace: installNamespace };
  const object: ManifestObject = {
    apiVersion: componentApi.apiVersion,
    kind,
    metadata: { name, namespace: resourceNamespace },
    spec: { ...spec, destination },
  };
  return { name, kind, version: spec.version, installNamespace, object };
}

/** The objects that the operator sends for a component, without an owner: the owner exists only in its installs. */
export async function renderedObjects(
  component: BenchComponent,
  releases: DemoReleases,
  cache: string,
): Promise<readonly ManifestObject[]> {
  const planner = createPlanner({
    releases: releaseDirectory(releases.root, createParsedCache(cache)),
    userManifests: { load: () => Promise.resolve([]) },
    kubernetesMinVersion: undefined,
  });
  const resource: ComponentResource = {
    ref: { kind: component.kind, namespace: resourceNamespace, name: component.name },
    uid: 'floor',
    generation: 1,
    deleting: false,
    finalizers: [],
    annotations: {},
    status: {},
    object: component.object,
  };
  const { objects } = await planner.plan(resource);
  return objects.map((object) => {
    const { ownerReferences: _owner, ...metadata } = object.metadata;
    return { ...object, metadata };
  });
}
