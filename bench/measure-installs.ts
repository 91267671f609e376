import type { Progress } from '../dev/demo/progress.ts';
import type { DemoReleases } from '../dev/demo/find-releases.ts';
import type { BenchComponent } from './bench-components.ts';
import { benchComponents, renderedObjects } from './bench-components.ts';
import type { BenchGround, Link } from './bench-ground.ts';
import { measureFloor } from './measure-floor.ts';
import { measureOperator } from './measure-operator.ts';
import type { Measurement } from './measurement.ts';

export interface InstallsWork {
  readonly ground: BenchGround;
  readonly releases: DemoReleases;
  readonly progress: Progress;
  readonly repeat: number;
  /** Milliseconds. */
  readonly roundTrips: readonly number[];
}

/** Operator and floor take turns, so that whatever else the machine does meets both. One unmeasured pair goes first. */
export async function measureInstalls(work: InstallsWork): Promise<readonly Measurement[]> {
  const { ground, releases, progress } = work;
  const measurements: Measurement[] = [];
  const components = benchComponents(releases, ground.profile);
  for (const component of components) {
    const warmUp = await measurePair(work, component, 0);
    progress.say(`not counted: ${warmUp.map(describe).join('; ')}`);
  }
  const cases = work.roundTrips.flatMap((roundTripMs) =>
    components.map((component) => ({ roundTripMs, component })),
  );
  for (const { roundTripMs, component } of cases) {
    for (let round = 1; round <= work.repeat; round++) {
      const pair = await measurePair(work, component, roundTripMs);
      progress.say(pair.map(describe).join('; '));
      measurements.push(...pair);
    }
  }
  return measurements;
}

async function measurePair(
  { ground, releases }: InstallsWork,
  component: BenchComponent,
  roundTripMs: number,
): Promise<readonly Measurement[]> {
  const common = { component: component.name, roundTripMs };
  const operator = await withLink(ground, roundTripMs, (link) =>
    measureOperator(ground.hub, component, () => link.newMeter('operator')),
  );
  const objects = await renderedObjects(component, releases, ground.cache);
  const floor = await withLink(ground, roundTripMs, async (link) => {
    const client = link.floorClient();
    try {
      return await measureFloor({ component, objects, client, newMeter: () => link.newMeter('floor') });
    } finally {
      await client.close();
    }
  });
  return [
    { ...common, installer: 'operator', ...operator },
    { ...common, installer: 'floor', ...floor },
  ];
}

/** Runs something over a link of its own, on a spoke without CRDs, and cleans the spoke after it. */
export async function withLink<T>(
  ground: BenchGround,
  roundTripMs: number,
  measure: (link: Link) => Promise<T>,
): Promise<T> {
  const link = await ground.openLink(roundTripMs);
  try {
    return await measure(link);
  } finally {
    await link.close();
    await ground.purge();
  }
}

function describe({ component, roundTripMs, installer, install, removal }: Measurement): string {
  const times = `${install.seconds.toFixed(1)} s to Ready, ${removal.seconds.toFixed(1)} s to gone`;
  return `${component} at ${String(roundTripMs)} ms by ${installer}: ${times}`;
}
