import type { ComponentRef } from '../domain/api/component-ref.ts';
import { parseComponentArgument } from './component-argument.ts';
import type { Session } from './session.ts';

/** The components that arguments name; the context's namespace is only looked up when one leaves its own out. */
export async function resolveComponents(
  session: Session,
  texts: readonly string[],
): Promise<readonly ComponentRef[]> {
  const incomplete = texts.some((text) => text.split('/').length === 2);
  const namespace = incomplete ? await session.namespace() : '';
  return texts.map((text) => parseComponentArgument(text, () => namespace));
}

export async function resolveComponent(session: Session, text: string): Promise<ComponentRef> {
  const namespace = text.split('/').length === 2 ? await session.namespace() : '';
  return parseComponentArgument(text, () => namespace);
}
