import type { ComponentResource } from '../../adapters/hub/components.ts';
import { readClusterUID } from '../../adapters/kubernetes/cluster-uid.ts';
import type { OpenTarget, TargetSources } from '../../activities/pass/open-target.ts';
import { openTarget } from '../../activities/pass/open-target.ts';
import { OperatorError } from '../../domain/errors.ts';
import { withProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';

/** Connects to the target of a component with the worker's own access configuration, and proves who it is. */
export async function openComponentTarget(
  session: Session,
  resource: ComponentResource,
): Promise<OpenTarget> {
  const sources = await targetSources(session);
  return withProgress(session.terminal, `connecting to the target of ${resource.ref.name}`, () =>
    openTarget(sources, resource),
  );
}

/** A cluster by itself, without a component: the hub, or the spoke of a ClusterProfile. */
export interface NamedTarget {
  readonly client: OpenTarget['client'];
  readonly clusterUID: string;
  readonly server: string;
  /** `namespace/name` of the ClusterProfile, or `local`. */
  readonly profile: string;
}

export async function openNamedTarget(
  session: Session,
  profile: { readonly namespace: string; readonly name: string } | undefined,
): Promise<NamedTarget> {
  const sources = await targetSources(session);
  if (profile === undefined) {
    const { client } = sources.hub;
    const clusterUID = await sources.hub.clusterUID();
    return { client, clusterUID, server: client.server, profile: 'local' };
  }
  const name = `${profile.namespace}/${profile.name}`;
  const access = await withProgress(session.terminal, `connecting to ${name}`, () =>
    sources.spokes.connect(profile),
  );
  return { ...access, profile: name };
}

async function targetSources(session: Session): Promise<TargetSources> {
  const client = await session.hub();
  return {
    hub: {
      client,
      async clusterUID() {
        const uid = await readClusterUID(client);
        if (uid !== undefined) return uid;
        throw new OperatorError('HubUnavailable', 'the hub has no namespace kube-system');
      },
    },
    spokes: {
      connect: async (profile, options) => (await session.spokes()).connect(profile, options),
    },
  };
}
