import { mergeAt } from '../manifests/edit.ts';
import type { Transform } from '../manifests/transform.ts';

const prefix = 'config-';

/**
 * Sets the entries of `spec.config` in the ConfigMap of that name, or of that name with `config-` before it; the full
 * name wins and the two are not combined. Keys are added or replaced, never removed. The Go operator cuts seven
 * characters whatever they are, so it takes `onfig-logging` for `kafka-config-logging`; here only `config-` may be left
 * out.
 */
export const configMaps: Transform = (object, { spec: { config } }) => {
  if (object.kind !== 'ConfigMap' || config === undefined) return object;
  const key = configKeysOf(object.metadata.name ?? '').find((name) => Object.hasOwn(config, name));
  return key === undefined ? object : mergeAt(object, ['data'], config[key]);
};

/** The keys of `spec.config` that mean a ConfigMap, the stronger one first. */
export function configKeysOf(configMap: string): readonly string[] {
  return configMap.startsWith(prefix) ? [configMap, configMap.slice(prefix.length)] : [configMap];
}
