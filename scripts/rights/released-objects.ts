import { createParsedCache } from '../../adapters/releases/parsed-cache.ts';
import { releaseDirectory } from '../../adapters/releases/release-directory.ts';
import type { ReleaseSource } from '../../adapters/releases/release-source.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { componentApi, componentKinds } from '../../domain/api/component-ref.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ReleaseIndex } from '../../domain/manifests/releases.ts';
import { availableVersions } from '../../domain/manifests/releases.ts';
import { renderRelease } from '../../domain/render.ts';
import { fullSpec } from '../../domain/rights/full-spec.ts';
import type { SpecOfKind } from '../../domain/select-release.ts';
import { selectRelease } from '../../domain/select-release.ts';
import { minorOf } from '../../domain/semantic-version.ts';

export interface ReleasedObjectsOptions {
  /** A release directory. */
  readonly releases: string;
  /** Minor versions such as `1.22`; all that the directory has when empty. */
  readonly minors?: readonly string[];
  readonly cache?: string | undefined;
}

/** Every object that any of the versions installs with all ingresses, sources and extensions on, as it is applied. */
export async function releasedObjects(options: ReleasedObjectsOptions): Promise<readonly ManifestObject[]> {
  const source = releaseDirectory(options.releases, createParsedCache(options.cache));
  const index = await source.index();
  const objects: ManifestObject[] = [];
  for (const kind of componentKinds) {
    for (const version of versionsOf(kind, index, options.minors ?? [])) {
      objects.push(...(await render(source, index, fullSpec(kind, version, index))));
    }
  }
  if (objects.length === 0) throw new Error(`${options.releases} has no release of the versions asked for`);
  return objects;
}

function versionsOf(kind: ComponentKind, index: ReleaseIndex, minors: readonly string[]): readonly string[] {
  const versions = availableVersions(kind, index);
  return minors.length === 0
    ? versions
    : versions.filter((version) => minors.includes(minorOf(version) ?? ''));
}

async function render(
  source: ReleaseSource,
  index: ReleaseIndex,
  component: SpecOfKind,
): Promise<readonly ManifestObject[]> {
  const { bundles, version } = selectRelease(component, index);
  const [base, ...plugins] = bundles;
  if (base === undefined) throw new Error(`there is no bundle of ${component.kind}`);
  const installNamespace = componentApi[component.kind].defaultNamespace;
  const release = renderRelease({
    ...component,
    version,
    installNamespace,
    owner: { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'anchor' },
    bundles: {
      base: await source.load(base),
      plugins: await Promise.all(
        plugins.map(async (bundle) => ({ plugin: bundle.component, objects: await source.load(bundle) })),
      ),
      additional: [],
    },
  });
  return release.objects;
}
