import { setTimeout as sleep } from 'node:timers/promises';

import { onHub } from '../../adapters/hub/components.ts';
import type { ComponentResource } from '../../adapters/hub/components.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { componentApi, formatComponentRef } from '../../domain/api/component-ref.ts';
import type { Session } from '../session.ts';
import { listComponents } from './read-fleet.ts';

/** What happens to the installations of deleted components. */
export type DrainPolicy = 'Retain' | 'Delete';

/** Sets the policy on each component and deletes it, exactly the one that was listed. One deleted already only gets the policy. */
export async function deleteWith(
  hub: ClusterClient,
  components: readonly ComponentResource[],
  policy: DrainPolicy,
): Promise<void> {
  for (const { ref, uid, deleting } of components) {
    const at = {
      apiVersion: componentApi.apiVersion,
      kind: ref.kind,
      namespace: ref.namespace,
      name: ref.name,
    };
    const body = { metadata: { uid }, spec: { deletion: { policy } } };
    await onHub(() => hub.patch(at, { type: 'merge', body }));
    if (!deleting) await onHub(() => hub.delete(at, { uid }));
  }
}

const pollMs = 2_000;

/** Resolves with the names that are still there at the limit, or when the user interrupts; empty when all are gone. */
export async function untilGone(
  session: Session,
  names: readonly string[],
  options: { readonly limitMs: number; readonly show: (left: readonly string[]) => void },
): Promise<readonly string[]> {
  const wanted = new Set(names);
  const deadline = performance.now() + options.limitMs;
  const { interrupted } = session.terminal;
  for (;;) {
    const present = await listComponents(session, session.chosenNamespace);
    const left = present.map(({ ref }) => formatComponentRef(ref)).filter((name) => wanted.has(name));
    options.show(left);
    if (left.length === 0 || interrupted.aborted || performance.now() > deadline) return left;
    await sleep(pollMs, undefined, { signal: interrupted }).catch(() => undefined);
  }
}
