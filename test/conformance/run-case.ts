import { setTimeout as sleep } from 'node:timers/promises';

import { objectDifferences, statusDifferences } from './compare-installed.ts';
import { deliberateDifferences } from './deliberate-differences.ts';
import type { Installer } from './installer.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import type { RecordedCase, Recordings } from './recordings.ts';

/** The recordings were taken this long after Ready, so that controllers had time to finish. */
const settleMs = 2_000;

/** Installs one case and compares everything that it left with the recording. Throws when it cannot be installed. */
export async function runCase(
  installer: Installer,
  recordings: Recordings,
  recorded: RecordedCase,
): Promise<Verdict> {
  const installed = await installer.install(recorded, recorded.name);
  try {
    await sleep(settleMs);
    const differences = [
      ...(await objectDifferences(installed, recordings, recorded)),
      ...statusDifferences(await installed.status(), recorded.status),
    ];
    return judge(recorded, differences, deliberateDifferences);
  } finally {
    await installed.release();
  }
}
