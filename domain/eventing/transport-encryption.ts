import type { ManifestObject } from '../manifests/object.ts';
import { groupOf } from '../manifests/object.ts';
import type { EventingContext } from '../manifests/transform.ts';

const certificateGroups: ReadonlySet<string> = new Set(['cert-manager.io', 'trust.cert-manager.io']);
const enabledModes: ReadonlySet<string> = new Set(['permissive', 'strict']);

/**
 * Leaves cert-manager's objects out unless the spec turns transport encryption on: without encryption cert-manager
 * need not be on the cluster. What the bundled ConfigMap says does not count.
 */
export function withoutUnusedCertificates(
  objects: readonly ManifestObject[],
  spec: EventingContext['spec'],
): readonly ManifestObject[] {
  return encryptsTransport(spec)
    ? objects
    : objects.filter((object) => !certificateGroups.has(groupOf(object.apiVersion)));
}

function encryptsTransport({ config }: EventingContext['spec']): boolean {
  const features = config?.['features'] ?? config?.['config-features'] ?? {};
  return Object.entries(features).some(
    ([key, value]) => key.trim() === 'transport-encryption' && enabledModes.has(value.toLowerCase()),
  );
}
