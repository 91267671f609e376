import type { OwnerReference } from '../../domain/manifests/object.ts';
import { bundlePath } from '../../domain/manifests/releases.ts';
import type { RenderedRelease } from '../../domain/render.ts';
import { renderRelease } from '../../domain/render.ts';
import type { ReleaseSelection, SpecOfKind } from '../../domain/select-release.ts';
import { selectRelease } from '../../domain/select-release.ts';
import { bundleObjects, sharedIndex } from './shared-material.ts';

/** Selects and renders with the real releases beside the checkout. */
export function renderShared(
  component: SpecOfKind,
  target: { readonly installNamespace: string; readonly owner: OwnerReference },
): { readonly selection: ReleaseSelection; readonly release: RenderedRelease } {
  const selection = selectRelease(component, sharedIndex());
  const [base, ...plugins] = selection.bundles;
  if (base === undefined) throw new Error('no base bundle');
  const release = renderRelease({
    ...component,
    ...target,
    version: selection.version,
    bundles: {
      base: bundleObjects(bundlePath(base)),
      plugins: plugins.map((bundle) => ({
        plugin: 'plugin' in bundle ? bundle.plugin : bundle.component,
        objects: bundleObjects(bundlePath(bundle)),
      })),
      additional: [],
    },
  });
  return { selection, release };
}
