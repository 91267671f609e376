import type { ComponentKind } from './api/component-ref.ts';
import { componentApi } from './api/component-ref.ts';
import type { KnativeEventingSpec } from './api/knative-eventing.ts';
import type { KnativeServingSpec } from './api/knative-serving.ts';
import { isOperatorError, OperatorError } from './errors.ts';
import { selectedSources } from './eventing/sources.ts';
import { checkVersionChange } from './lifecycle/version-change.ts';
import type { ReleaseSources } from './manifests/manifest-locations.ts';
import { locationUrls } from './manifests/manifest-locations.ts';
import type { BundleRef, ReleaseIndex } from './manifests/releases.ts';
import {
  availableVersions,
  bundlePath,
  guardBundleFor,
  pluginMinor,
  selectVersion,
} from './manifests/releases.ts';
import { selectedIngresses } from './serving/ingress/ingresses.ts';
import { securityGuardEnabled } from './serving/security-guard.ts';

export type SpecOfKind =
  | { readonly kind: 'KnativeServing'; readonly spec: KnativeServingSpec }
  | { readonly kind: 'KnativeEventing'; readonly spec: KnativeEventingSpec };

/**
 * What makes up the release for a spec. `bundles` lists the base first, unless `spec.manifests` replaces it, then
 * plug-ins in the order their objects follow the base.
 */
export interface ReleaseSelection extends ReleaseSources {
  readonly version: string;
  readonly warnings: readonly string[];
}

/**
 * Chooses the version and the bundles. `installed` is the version that was last installed completely, empty when none
 * was. Throws VersionNotEligible when the target cannot follow it, ReleaseUnavailable when the index lacks a bundle; with
 * `spec.manifests` a missing plug-in is left out with a warning.
 */
export function selectRelease(component: SpecOfKind, index: ReleaseIndex, installed = ''): ReleaseSelection {
  const { kind, spec } = component;
  const available = availableVersions(kind, index);
  const version = selectVersion(spec, available);
  const custom = (spec.manifests ?? []).length > 0;
  if (!custom && available.length === 0) throw unavailable(`there is no release of ${kind} to install`);
  checkVersionChange({ kind, installed, target: version });
  const base = custom ? [] : [baseBundle(kind, version, spec.version ?? '', available)];
  const { bundles, warnings } = custom
    ? presentPlugins(component, version, index)
    : { bundles: pluginChecks(component, version, index).map((check) => check()), warnings: [] };
  return {
    version,
    bundles: [...base, ...bundles],
    manifestUrls: locationUrls(spec.manifests, version),
    additionalUrls: locationUrls(spec.additionalManifests, version),
    warnings,
  };
}

function baseBundle(
  kind: ComponentKind,
  version: string,
  literal: string,
  available: readonly string[],
): BundleRef {
  if (available.includes(version)) return { component: componentApi[kind].nameLabel, version };
  throw unavailable(
    `the manifests of the target version ${literal} are not available to this release; available: ${available.join(', ')}`,
  );
}

/** With manifests of the user's own, plug-ins are taken as far as there are any for that version. */
function presentPlugins(
  component: SpecOfKind,
  version: string,
  index: ReleaseIndex,
): { readonly bundles: readonly BundleRef[]; readonly warnings: readonly string[] } {
  const bundles: BundleRef[] = [];
  const warnings: string[] = [];
  for (const check of pluginChecks(component, version, index)) {
    try {
      bundles.push(check());
    } catch (error) {
      if (!isOperatorError(error, 'ReleaseUnavailable')) throw error;
      warnings.push(`left out because spec.manifests is set: ${error.message}`);
    }
  }
  return { bundles, warnings };
}

/** One function for each plug-in that the spec asks for: its bundle, or ReleaseUnavailable. */
function pluginChecks(
  component: SpecOfKind,
  version: string,
  index: ReleaseIndex,
): readonly (() => BundleRef)[] {
  const minor = pluginMinor(version);
  if (component.kind === 'KnativeEventing') {
    return selectedSources(component.spec.source).map(
      (plugin) => () => known({ component: 'eventing-source', minor, plugin }, index.sources[minor]),
    );
  }
  const ingresses = selectedIngresses(component.spec.ingress).map(
    ({ bundle }) =>
      () =>
        known({ component: 'ingress', minor, plugin: bundle }, index.ingress[minor]),
  );
  return securityGuardEnabled(component.spec)
    ? [...ingresses, () => known(guardBundleFor(version, index), index.guard)]
    : ingresses;
}

function known(bundle: BundleRef, available: readonly string[] = []): BundleRef {
  if (available.includes('plugin' in bundle ? bundle.plugin : bundle.version)) return bundle;
  const alternatives = available.length === 0 ? 'none' : available.join(', ');
  throw unavailable(
    `there is no ${bundlePath(bundle)} among the releases; available in its place: ${alternatives}`,
  );
}

function unavailable(message: string): OperatorError {
  return new OperatorError('ReleaseUnavailable', message);
}
