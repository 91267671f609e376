import { applyObject } from '../../adapters/kubernetes/apply-object.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { StageWork } from '../../activities/apply/apply-stage.ts';
import { applyStage } from '../../activities/apply/apply-stage.ts';
import { isOutdatedJob } from '../../activities/apply/remove-outdated-job.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

/** What an apply of one object would do, as the API server says. */
export type DryRun =
  | {
      readonly outcome: 'applied';
      readonly live: ManifestObject | undefined;
      readonly wanted: ManifestObject;
    }
  | { readonly outcome: 'failed'; readonly why: string };

type DryRunWork = Omit<StageWork, 'objects'> & { readonly object: ManifestObject };

/**
 * Applies one object as a pass would, adoption and ceded fields included, as a dry run: admission and defaults of the
 * server are in the result, and nothing is written. What lives in a namespace, or is of a kind, that the same pass would
 * make first counts as created.
 */
export async function dryRun(client: ClusterClient, work: DryRunWork): Promise<DryRun> {
  const { object } = work;
  let wanted: ManifestObject = object;
  const dry: ClusterClient = {
    ...client,
    async apply(body, options) {
      const answer = await client.apply(body, { ...options, dryRun: true, metadataOnly: false });
      wanted = answer.object;
      return answer;
    },
  };
  try {
    const live = await readLive(client, object);
    const tools = { target: { applyObject }, dryRun: true };
    await applyStage(tools, { client: dry }, { ...work, objects: [object] });
    return { outcome: 'applied', live, wanted };
  } catch (error) {
    if (isOutdatedJob(object, error))
      return { outcome: 'applied', live: await readLive(client, object), wanted: object };
    if (comesWith(work.all, object, error)) return { outcome: 'applied', live: undefined, wanted: object };
    return { outcome: 'failed', why: messageOf(error) };
  }
}

async function readLive(client: ClusterClient, object: ManifestObject): Promise<ManifestObject | undefined> {
  const { namespace, name = '' } = object.metadata;
  const ref = { apiVersion: object.apiVersion, kind: object.kind, namespace, name };
  try {
    return await client.get(ref);
  } catch (error) {
    if (isOperatorError(error, 'KindUnavailable')) return undefined;
    throw error;
  }
}

/** Whether the failure ends by itself, because an earlier stage makes what is missing. */
function comesWith(all: readonly ManifestObject[], object: ManifestObject, error: unknown): boolean {
  if (isOperatorError(error, 'NotFound')) return object.metadata.namespace !== undefined;
  if (!isOperatorError(error, 'KindUnavailable')) return false;
  const group = object.apiVersion.split('/')[0] ?? '';
  return all.some(
    (other) =>
      other.kind === 'CustomResourceDefinition' &&
      (other.metadata.name ?? '').endsWith(`.${group}`) &&
      JSON.stringify(other['spec']).includes(`"kind":"${object.kind}"`),
  );
}
