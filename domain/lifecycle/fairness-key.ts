import type { ComponentRef } from '../api/component-ref.ts';

/** Of a component's state. */
interface Targeted {
  readonly target: { readonly profile: string } | undefined;
}

/** Bytes that the server takes; names on the hub are ASCII. */
const maxBytes = 64;

/**
 * What shares the slots of the spoke queue fairly: the spoke, and the component itself until its spoke is known, so that a
 * spoke that never answered is nobody else's turn. Longer names are hashed. Deterministic.
 */
export function fairnessKey(ref: ComponentRef, state: Targeted): string {
  const profile = state.target?.profile;
  const key =
    profile === undefined || profile === 'local' ? `${ref.kind}/${ref.namespace}/${ref.name}` : profile;
  return key.length <= maxBytes ? key : `${key.slice(0, 40)}~${hash(key)}`;
}

/** FNV-1a, 64 bits, in hex: tells names apart, hides nothing. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const character of text) {
    value ^= BigInt(character.codePointAt(0) ?? 0);
    value = BigInt.asUintN(64, value * 0x100000001b3n);
  }
  return value.toString(16).padStart(16, '0');
}
