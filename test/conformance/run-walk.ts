import { setTimeout as sleep } from 'node:timers/promises';

import { becomesReady, objectDifferences, statusDifferences } from './compare-installed.ts';
import type { Difference } from './compare.ts';
import { deliberateDifferences } from './deliberate-differences.ts';
import type { Installed, Installer } from './installer.ts';
import type { Verdict } from './judge.ts';
import { holds, judge } from './judge.ts';
import type { Walk } from './plan-walks.ts';
import type { RecordedCase, Recordings } from './recordings.ts';
import { recordedKey } from './recordings.ts';

/** What one step of a walk left on the cluster. */
export interface StepResult {
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** Controllers may need this long to finish after the operator did: aggregated roles, owners that are gone. */
const settleMs = 10_000;
const againMs = 500;

/**
 * Installs the first case of a walk, changes the resource to each of the others in turn, and compares after every step
 * everything on the cluster with the recording of that case alone. After a difference the walk goes on from a new
 * installation, so that one defect shows once. Throws when a resource gets stuck.
 */
export async function* runWalk(
  installer: Installer,
  recordings: Recordings,
  walk: Walk,
  name: string,
): AsyncGenerator<StepResult> {
  let place: { readonly installed: Installed; readonly earlier: RecordedCase[] } | undefined;
  let installs = 0;
  try {
    for (const [index, recorded] of walk.entries()) {
      const startedAt = performance.now();
      const from = walk[index - 1];
      if (place === undefined) {
        const installed = await installer.install(from ?? recorded, `${name}-${String(++installs)}`);
        place = { installed, earlier: [from ?? recorded] };
      }
      if (from !== undefined) await place.installed.change(recorded);
      place.earlier.push(recorded);
      const verdict = await judgeSettled(place.installed, recordings, recorded, place.earlier);
      yield { verdict, seconds: (performance.now() - startedAt) / 1000 };
      if (holds(verdict)) continue;
      await place.installed.release();
      place = undefined;
    }
  } finally {
    await place?.installed.release();
  }
}

async function judgeSettled(
  installed: Installed,
  recordings: Recordings,
  recorded: RecordedCase,
  earlier: readonly RecordedCase[],
): Promise<Verdict> {
  const deadline = performance.now() + settleMs;
  const kept = keptOf(recordings, recorded, earlier);
  for (;;) {
    const differences = await objectDifferences(installed, recordings, recorded);
    const ours = differences.filter((difference) => !isKept(difference, kept));
    const verdict = becomesReady(recorded)
      ? judge(
          recorded,
          [...ours, ...statusDifferences(await installed.status(), recorded.status)],
          deliberateDifferences,
        )
      : judge(
          recorded,
          ours,
          deliberateDifferences.filter(({ object }) => object !== 'status'),
        );
    if (holds(verdict) || performance.now() > deadline) return verdict;
    await sleep(againMs);
  }
}

/** What earlier cases may have left. */
interface Kept {
  readonly objects: ReadonlySet<string>;
  /** Objects whose rules the API server collects from others. */
  readonly collecting: ReadonlySet<string>;
}

/**
 * CRDs are never removed. As long as a case does not become Ready nothing is removed, so that aggregated roles collect
 * the rules of obsolete ones as well.
 */
function keptOf(recordings: Recordings, recorded: RecordedCase, earlier: readonly RecordedCase[]): Kept {
  const own = new Set(recorded.objects.map(recordedKey));
  const foreign = earlier.flatMap(({ objects }) => objects).filter((entry) => !own.has(recordedKey(entry)));
  const isPruned = becomesReady(recorded);
  const kept = isPruned ? foreign.filter(({ kind }) => kind === 'CustomResourceDefinition') : foreign;
  const holdsRoles = kept.some(({ kind }) => kind === 'ClusterRole');
  const collecting = recorded.objects.filter(
    (entry) => holdsRoles && recordings.object(entry)['aggregationRule'] !== undefined,
  );
  return { objects: new Set(kept.map(recordedKey)), collecting: new Set(collecting.map(recordedKey)) };
}

function isKept({ object, path, recorded }: Difference, kept: Kept): boolean {
  if (path === '') return recorded === undefined && kept.objects.has(object);
  return kept.collecting.has(object) && path.startsWith('rules[');
}
