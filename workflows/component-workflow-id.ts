import type { ComponentRef } from '../domain/api/component-ref.ts';

/** `<kind>/<namespace>/<name>`, with the hub id in front when one is configured. The UID is data, not identity. */
export function componentWorkflowId(ref: ComponentRef, hubId: string): string {
  const id = `${ref.kind}/${ref.namespace}/${ref.name}`;
  return hubId === '' ? id : `${hubId}/${id}`;
}

/** `cleanup/<kind>/<namespace>/<name>/<uid>`: unlike a component, one incarnation of it. */
export function cleanupWorkflowId(ref: ComponentRef, uid: string, hubId: string): string {
  const id = `cleanup/${ref.kind}/${ref.namespace}/${ref.name}/${uid}`;
  return hubId === '' ? id : `${hubId}/${id}`;
}

/** The hub id that stands in front of a cleanup's workflow id; empty when there is none. */
export function hubIdOfWorkflowId(cleanupId: string): string {
  return cleanupId.slice(0, Math.max(0, cleanupId.lastIndexOf('cleanup/') - 1));
}

/** The component that a workflow id names; undefined for ids of other workflows. */
export function componentOfWorkflowId(id: string, hubId: string): ComponentRef | undefined {
  const prefix = hubId === '' ? '' : `${hubId}/`;
  if (!id.startsWith(prefix)) return undefined;
  const [kind, namespace, name, ...rest] = id.slice(prefix.length).split('/');
  if (kind !== 'KnativeServing' && kind !== 'KnativeEventing') return undefined;
  if (namespace === undefined || name === undefined || rest.length > 0) return undefined;
  return { kind, namespace, name };
}

/** The component and UID that the id of a cleanup names; undefined for ids of other workflows. */
export function componentOfCleanupId(
  id: string,
  hubId: string,
): { readonly ref: ComponentRef; readonly uid: string } | undefined {
  const prefix = hubId === '' ? 'cleanup/' : `${hubId}/cleanup/`;
  const at = id.lastIndexOf('/');
  if (!id.startsWith(prefix) || at < prefix.length) return undefined;
  const ref = componentOfWorkflowId(id.slice(prefix.length, at), '');
  return ref === undefined ? undefined : { ref, uid: id.slice(at + 1) };
}
