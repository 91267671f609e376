import { setAt } from '../manifests/edit.ts';
import { stringAt } from '../manifests/object.ts';
import { podTemplatePath } from '../manifests/pod-template.ts';
import type { Transform } from '../manifests/transform.ts';

const injectLabel = 'sidecar.istio.io/inject';

/**
 * Gives every Job a name of its own per component and version, and keeps Istio's sidecar out of its pods, which would
 * never let it complete.
 */
export const jobs: Transform = (object, { kind, version }) => {
  if (object.kind !== 'Job') return object;
  const suffix = `${kind === 'KnativeServing' ? 'serving' : 'eventing'}-${version}`;
  const { name, generateName = '' } = object.metadata;
  const named = setAt(
    object,
    ['metadata', 'name'],
    name === undefined || name === '' ? `${generateName}${suffix}` : `${name}-${suffix}`,
  );
  const label = [...podTemplatePath, 'metadata', 'labels', injectLabel];
  const chosen = stringAt(named, ...label) ?? '';
  return chosen === '' ? setAt(named, label, 'false') : named;
};
