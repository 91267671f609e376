import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { Difference } from './compare.ts';
import { compareObjects, compareValues } from './compare.ts';
import { deliberateDifferences } from './deliberate-differences.ts';
import { dumpOwn } from './dump.ts';
import type { Installed } from './installer.ts';
import type { RecordedCase, RecordedStatus, Recordings } from './recordings.ts';

/** Whether the operator reports Ready for the case; where it deliberately does not, waiting would be in vain. */
export function becomesReady({ name, ready }: RecordedCase): boolean {
  const staysUnready = deliberateDifferences.some(
    ({ cases, object, path }) => object === 'status' && path === 'conditions' && cases.includes(name),
  );
  return ready && !staysUnready;
}

/** Everything in which the objects of an installed resource are not what was recorded for a case. */
export async function objectDifferences(
  { cluster, componentUID }: Pick<Installed, 'cluster' | 'componentUID'>,
  recordings: Recordings,
  recorded: RecordedCase,
): Promise<readonly Difference[]> {
  const theirs = recorded.objects.map((entry) => recordings.object(entry));
  return compareObjects(await dumpCluster(cluster, componentUID), theirs);
}

/** What we have on a cluster: for one component, or for all. */
export async function dumpCluster(
  { server, caPem, token }: Pick<Cluster, 'server' | 'caPem' | 'token'>,
  componentUID?: string,
): Promise<readonly ManifestObject[]> {
  const settings = { server, certificateAuthority: caPem, credential: async () => ({ token }) };
  const client = createClusterClient(settings, { fieldManager: wireNames.fieldManager });
  try {
    return await dumpOwn(client, componentUID);
  } finally {
    await client.close();
  }
}

/** Compares what every condition is; why it is not True is worded by each software as it likes. */
export function statusDifferences(ours: JsonRecord, recorded: RecordedStatus): readonly Difference[] {
  const manifests = listAt(ours, 'manifests').map((location) =>
    relativeTo(String(location), recorded.manifests),
  );
  const mine = { version: ours['version'], manifests, conditions: conditionsOf(listAt(ours, 'conditions')) };
  const theirs = {
    version: recorded.version,
    manifests: recorded.manifests ?? manifests,
    conditions: conditionsOf(recorded.conditions),
  };
  return compareValues(mine, theirs).map((difference) => ({ object: 'status', ...difference }));
}

function conditionsOf(conditions: readonly unknown[]): JsonRecord {
  return Object.fromEntries(
    conditions.map((condition) => [stringAt(condition, 'type') ?? '', recordAt(condition)['status']]),
  );
}

/** Without the release directory: each location is cut where a recorded one begins. */
function relativeTo(location: string, recorded: readonly string[] = []): string {
  const parts = location.split(',');
  const known = recorded.flatMap((entry) => entry.split(','));
  return parts.map((part) => known.find((end) => part.endsWith(`/${end}`)) ?? part).join(',');
}
