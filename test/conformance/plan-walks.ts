import { parseVersion } from '../../domain/semantic-version.ts';
import { becomesReady } from './compare-installed.ts';
import type { RecordedCase } from './recordings.ts';
import type { Random } from './seeded-random.ts';
import { seededRandom, shuffled } from './seeded-random.ts';

/**
 * Cases that one installed resource goes through. Each two that belong together are walked there and back in both
 * directions, A B A B, so that a walk over n of them holds 2n pairs with their return and has 3n + 1 steps.
 */
export type Walk = readonly RecordedCase[];

export interface WalkPlan {
  /** How many ordered pairs; rounded up to an even number, at most all. */
  readonly count: number;
  readonly seed: number;
}

type Link = readonly [RecordedCase, RecordedCase];

const maxLinks = 12;
/** So that a sample uses several clusters, and both kinds. */
const leastWalks = 4;

/** Walks with that many ordered pairs of cases, each pair once, alternating between the kinds as far as they last. */
export function planWalks(cases: readonly RecordedCase[], { count, seed }: WalkPlan): readonly Walk[] {
  const random = seededRandom(seed);
  const kinds = ['KnativeServing', 'KnativeEventing'] as const;
  const pools = kinds.map((kind) => shuffled(linksOf(cases.filter((one) => one.kind === kind)), random));
  const all = pools.reduce((sum, pool) => sum + pool.length, 0);
  let left = Math.min(all, Math.ceil(count / 2));
  const longest = Math.min(maxLinks, Math.ceil(left / leastWalks));
  const walks: Walk[] = [];
  for (let turn = 0; left > 0; turn++) {
    const pool = pools[turn % pools.length] ?? [];
    if (pool.length === 0) continue;
    const { walk, used } = walkOver(pool, Math.min(longest, left), random);
    pools[turn % pools.length] = pool.filter((link) => !used.includes(link));
    walks.push(walk);
    left -= used.length;
  }
  return walks;
}

/** Every two cases between which a change of version is allowed. Local ones have a cluster of their own. */
function linksOf(cases: readonly RecordedCase[]): readonly Link[] {
  const remote = cases.filter(({ local }) => !local);
  return remote.flatMap((one, index) =>
    remote
      .slice(index + 1)
      .filter((other) => areNeighbours(versionOf(one), versionOf(other)))
      .map((other) => [one, other] as const),
  );
}

/** Takes links of the pool that join on, as long as there are any. */
function walkOver(
  pool: readonly Link[],
  most: number,
  random: Random,
): { readonly walk: Walk; readonly used: readonly Link[] } {
  const [first] = pool;
  if (first === undefined) return { walk: [], used: [] };
  let at = first[random(2)] ?? first[0];
  const walk: RecordedCase[] = [at];
  const used: Link[] = [];
  while (used.length < most) {
    const from = at;
    const installed = walk.findLast(becomesReady);
    const link = pool.find(
      (candidate) =>
        candidate.includes(from) && !used.includes(candidate) && mayGo(installed, otherEnd(candidate, from)),
    );
    if (link === undefined) break;
    at = otherEnd(link, from);
    walk.push(at, from, at);
    used.push(link);
  }
  return { walk, used };
}

function otherEnd([one, other]: Link, from: RecordedCase): RecordedCase {
  return one === from ? other : one;
}

/** What counts is the version that was last Ready, which is not that of a case that never is. */
function mayGo(installed: RecordedCase | undefined, to: RecordedCase): boolean {
  return installed === undefined || areNeighbours(versionOf(installed), versionOf(to));
}

function areNeighbours(one: string, other: string): boolean {
  const [from, to] = [parseVersion(one), parseVersion(other)];
  if (from === undefined || to === undefined) return false;
  return from.major === to.major && Math.abs(from.minor - to.minor) <= 1;
}

/** The installed version, or, without one, the wanted one. */
function versionOf({ status, spec }: RecordedCase): string {
  return status.version ?? String(spec['version']);
}
