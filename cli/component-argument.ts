import type { ComponentKind, ComponentRef } from '../domain/api/component-ref.ts';
import { CommandError } from './exit-codes.ts';

const kinds: Readonly<Record<string, ComponentKind>> = {
  knativeserving: 'KnativeServing',
  knativeservings: 'KnativeServing',
  serving: 'KnativeServing',
  knativeeventing: 'KnativeEventing',
  knativeeventings: 'KnativeEventing',
  eventing: 'KnativeEventing',
};

export const componentSyntax = 'KIND/NAMESPACE/NAME';

/**
 * Reads `KIND/NAMESPACE/NAME`, or `KIND/NAME` in the given namespace. The kind is KnativeServing or KnativeEventing in
 * any case, also in the plural, or without its prefix. Throws CommandError.
 */
export function parseComponentArgument(text: string, namespace: () => string): ComponentRef {
  const [first = '', second = '', third, ...rest] = text.split('/');
  const kind = kinds[first.toLowerCase()];
  if (rest.length > 0 || second === '' || third === '' || kind === undefined) {
    const why =
      kind === undefined ? `"${first}" is neither KnativeServing nor KnativeEventing` : 'a part is missing';
    throw new CommandError(
      'usage',
      `"${text}" names no component: ${why}; write ${componentSyntax}, such as serving/platform/serving`,
    );
  }
  return third === undefined
    ? { kind, namespace: namespace(), name: second }
    : { kind, namespace: second, name: third };
}

/** Reads `NAMESPACE/NAME` of a ClusterProfile, or `local` for the hub itself, which reads as undefined. */
export function parseTargetArgument(text: string): { namespace: string; name: string } | undefined {
  if (text === 'local') return undefined;
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (namespace !== '' && name !== '' && rest.length === 0) return { namespace, name };
  throw new CommandError(
    'usage',
    `"${text}" names no target: write NAMESPACE/NAME of a ClusterProfile, or local for the hub itself`,
  );
}
