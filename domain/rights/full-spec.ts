import type { ComponentKind } from '../api/component-ref.ts';
import { SourceOptions } from '../eventing/sources.ts';
import type { ReleaseIndex } from '../manifests/releases.ts';
import { pluginMinor } from '../manifests/releases.ts';
import type { SpecOfKind } from '../select-release.ts';
import { ingressKeys } from '../serving/ingress/ingresses.ts';

/**
 * A spec that selects every object that a version can install: all ingresses or sources that the index has for it, the
 * security guard, and certificates for transport encryption.
 */
export function fullSpec(kind: ComponentKind, version: string, index: ReleaseIndex): SpecOfKind {
  const minor = pluginMinor(version);
  if (kind === 'KnativeEventing') {
    const source = enabled(Object.keys(SourceOptions.shape), index.sources[minor]);
    return { kind, spec: { version, source, config: { features: { 'transport-encryption': 'strict' } } } };
  }
  const ingress = enabled(ingressKeys, index.ingress[minor]);
  const guarded = { security: { securityGuard: { enabled: true } } };
  return { kind, spec: { version, ingress, ...(index.guard.length === 0 ? {} : guarded) } };
}

function enabled(
  names: readonly string[],
  available: readonly string[] = [],
): Record<string, { enabled: true }> {
  const present = names.filter((name) => available.includes(name));
  return Object.fromEntries(present.map((name) => [name, { enabled: true }]));
}
