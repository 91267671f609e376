/** `observer/<target>`, with the hub id in front when one is configured. */
export function observerWorkflowId(target: string, hubId: string): string {
  const id = `observer/${target}`;
  return hubId === '' ? id : `${hubId}/${id}`;
}
