import { createClusterClient } from '../../adapters/kubernetes/http-cluster-client.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { Difference } from './compare.ts';
import { compareObjects, compareValues } from './compare.ts';
import { deliberateDifferences } from './deliberate-differences.ts';
import { dumpOwn } from './dump.ts';
import type { Installed, Installer } from './installer.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import type { RecordedCase, RecordedStatus, Recordings } from './recordings.ts';

/** Installs one case and compares everything that it left with the recording. Throws when it cannot be installed. */
export async function runCase(
  installer: Installer,
  recordings: Recordings,
  recorded: RecordedCase,
): Promise<Verdict> {
  const installed = await installer.install(recorded, { ready: recorded.ready && !staysUnready(recorded) });
  try {
    const differences = [
      ...(await objectDifferences(installed, recordings, recorded)),
      ...statusDifferences(installed.status, recorded.status),
    ];
    return judge(recorded, differences, deliberateDifferences);
  } finally {
    await installed.release();
  }
}

/** Where we deliberately do not report Ready, waiting for it would be in vain. */
function staysUnready({ name }: RecordedCase): boolean {
  return deliberateDifferences.some(
    ({ cases, object, path }) => object === 'status' && path === 'conditions' && cases.includes(name),
  );
}

async function objectDifferences(
  { cluster, componentUID }: Installed,
  recordings: Recordings,
  recorded: RecordedCase,
): Promise<readonly Difference[]> {
  const { server, caPem, token } = cluster;
  const settings = { server, certificateAuthority: caPem, credential: async () => ({ token }) };
  const client = createClusterClient(settings, { fieldManager: wireNames.fieldManager });
  try {
    const theirs = recorded.objects.map((entry) => recordings.object(entry));
    return compareObjects(await dumpOwn(client, componentUID), theirs);
  } finally {
    await client.close();
  }
}

/** Compares what every condition is; why it is not True is worded by each software as it likes. */
function statusDifferences(ours: JsonRecord, recorded: RecordedStatus): readonly Difference[] {
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
