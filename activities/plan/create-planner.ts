import { createHash } from 'node:crypto';

import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ReleaseSource } from '../../adapters/releases/release-source.ts';
import type { UserManifests } from '../../adapters/releases/user-manifests.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import { parseComponent } from '../../domain/api/parse-component.ts';
import { canonicalJson } from '../../domain/manifests/canonical-json.ts';
import { manifestLocations } from '../../domain/manifests/manifest-locations.ts';
import type { OwnerReference } from '../../domain/manifests/object.ts';
import type { ReleaseObjects, RenderedRelease } from '../../domain/render.ts';
import { renderRelease } from '../../domain/render.ts';
import type { ReleaseSelection, SpecOfKind } from '../../domain/select-release.ts';
import { selectRelease } from '../../domain/select-release.ts';
import { asStatus } from '../../domain/status/status-change.ts';
import { destinationOfResource } from '../pass/destination-of-resource.ts';
import { createBriefCache } from './brief-cache.ts';
import type { PlannedRelease, Planner } from './planner.ts';

export interface PlannerDependencies {
  readonly releases: ReleaseSource;
  readonly userManifests: UserManifests;
  /** The operator's own KUBERNETES_MIN_VERSION. */
  readonly kubernetesMinVersion: string | undefined;
}

/** A pass asks for the same set several times, each within moments of the last; after it, the set is only weight. */
const keptMs = 15_000;

export function createPlanner(deps: PlannerDependencies): Planner {
  const rendered = createBriefCache<PlannedRelease>(keptMs);
  return {
    async plan(resource) {
      const component = componentOf(resource);
      const installed = asStatus(resource.status).version ?? '';
      const selection = selectRelease(component, await deps.releases.index(), installed);
      const { installNamespace } = destinationOfResource(resource);
      const key = `${resource.uid}/${String(resource.generation)}/${installNamespace}/${JSON.stringify(selection)}`;
      const fixed = selection.manifestUrls.length + selection.additionalUrls.length === 0;
      const known = fixed ? rendered.get(key) : undefined;
      if (known !== undefined) return known;
      const bundles = await loadBundles(deps, selection);
      const planned = render(deps, { resource, component, selection, bundles });
      if (fixed) rendered.set(key, planned);
      return planned;
    },
  };
}

function componentOf(resource: ComponentResource): SpecOfKind {
  const { kind } = resource.ref;
  return kind === 'KnativeServing'
    ? { kind, spec: parseComponent(kind, resource.object).spec ?? {} }
    : { kind, spec: parseComponent(kind, resource.object).spec ?? {} };
}

async function loadBundles(deps: PlannerDependencies, selection: ReleaseSelection): Promise<ReleaseObjects> {
  const { releases, userManifests } = deps;
  const base = selection.bundles.filter((bundle) => bundle.component.startsWith('knative-'));
  const plugins = selection.bundles.filter((bundle) => !bundle.component.startsWith('knative-'));
  return {
    base:
      selection.manifestUrls.length > 0
        ? await userManifests.load(selection.manifestUrls)
        : (await Promise.all(base.map((bundle) => releases.load(bundle)))).flat(),
    plugins: await Promise.all(
      plugins.map(async (bundle) => ({
        plugin: 'plugin' in bundle ? bundle.plugin : bundle.component,
        objects: await releases.load(bundle),
      })),
    ),
    additional: await userManifests.load(selection.additionalUrls),
  };
}

interface RenderWork {
  readonly resource: ComponentResource;
  readonly component: SpecOfKind;
  readonly selection: ReleaseSelection;
  readonly bundles: ReleaseObjects;
}

function render(deps: PlannerDependencies, work: RenderWork): PlannedRelease {
  const { resource, component, selection, bundles } = work;
  const { installNamespace } = destinationOfResource(resource);
  const common = {
    version: selection.version,
    installNamespace,
    owner: placeholderOwner(resource),
    bundles,
    kubernetesMinVersion: deps.kubernetesMinVersion,
  };
  const release: RenderedRelease =
    component.kind === 'KnativeServing'
      ? renderRelease({ ...common, kind: component.kind, spec: component.spec })
      : renderRelease({ ...common, kind: component.kind, spec: component.spec });
  return {
    version: selection.version,
    digest: createHash('sha256').update(canonicalJson(release.objects)).digest('hex'),
    objects: release.objects,
    warnings: [...selection.warnings, ...release.warnings],
    manifests: manifestLocations(selection, deps.releases.root),
    origins: release.origins,
  };
}

/** The digest must not depend on an anchor that may not exist yet. */
function placeholderOwner(resource: ComponentResource): OwnerReference {
  const { kind, name } = resource.ref;
  return {
    apiVersion: componentApi.apiVersion,
    kind,
    name,
    uid: 'placeholder',
    controller: true,
    blockOwnerDeletion: true,
  };
}
