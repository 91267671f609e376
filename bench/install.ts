import { writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';

import { findReleases } from '../dev/demo/find-releases.ts';
import type { DemoReleases } from '../dev/demo/find-releases.ts';
import { createProgress } from '../dev/demo/progress.ts';
import type { Progress } from '../dev/demo/progress.ts';
import { messageOf } from '../domain/errors.ts';
import type { BenchComponent } from './bench-components.ts';
import { benchComponents, renderedObjects } from './bench-components.ts';
import type { BenchGround, Link } from './bench-ground.ts';
import { startGround } from './bench-ground.ts';
import { measureFloor } from './measure-floor.ts';
import { measureOperator } from './measure-operator.ts';
import type { Measurement } from './measurement.ts';
import { readOptions } from './options.ts';
import type { BenchOptions } from './options.ts';
import { references } from './reference.ts';
import { renderReport } from './report.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const progress = createProgress();
  const releases = await findReleases();
  progress.say(`releases: ${releases.root}`);
  progress.say('starting Temporal, a hub, a spoke behind a proxy, worker and starter');
  const ground = await startGround(releases);
  try {
    const measurements = await measureAll({ options, progress, releases, ground });
    process.stdout.write(`\n${renderReport(measurements)}\n`);
    const result = { machine: machine(), releases: versionsOf(releases), references, measurements };
    if (options.json !== undefined) await writeFile(options.json, JSON.stringify(result, undefined, 2));
  } finally {
    progress.say('stopping');
    await ground.stop();
  }
}

interface Work {
  readonly options: BenchOptions;
  readonly progress: Progress;
  readonly releases: DemoReleases;
  readonly ground: BenchGround;
}

/** Operator and floor take turns, so that whatever else the machine does meets both. One unmeasured pair goes first. */
async function measureAll(work: Work): Promise<readonly Measurement[]> {
  const { options, ground, releases, progress } = work;
  const measurements: Measurement[] = [];
  const components = benchComponents(releases, ground.profile);
  for (const component of components) {
    const warmUp = await measurePair(work, component, 0);
    progress.say(`not counted: ${warmUp.map(describe).join('; ')}`);
  }
  const cases = options.roundTrips.flatMap((roundTripMs) =>
    components.map((component) => ({ roundTripMs, component })),
  );
  for (const { roundTripMs, component } of cases) {
    for (let round = 1; round <= options.repeat; round++) {
      const pair = await measurePair(work, component, roundTripMs);
      progress.say(pair.map(describe).join('; '));
      measurements.push(...pair);
    }
  }
  return measurements;
}

async function measurePair(
  work: Work,
  component: BenchComponent,
  roundTripMs: number,
): Promise<readonly Measurement[]> {
  const common = { component: component.name, roundTripMs };
  const operator = await withLink(work.ground, roundTripMs, (link) =>
    measureOperator(work.ground.hub, component, () => link.newMeter('operator')),
  );
  const objects = await renderedObjects(component, work.releases, work.ground.cache);
  const floor = await withLink(work.ground, roundTripMs, async (link) => {
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

/** Runs one install and removal over a link of its own, and cleans the spoke after it. */
async function withLink<T>(
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

function versionsOf({ serving, eventing }: DemoReleases): object {
  return { serving, eventing };
}

function machine(): object {
  return { cores: availableParallelism(), memoryGb: Math.round(totalmem() / 1e9), node: process.version };
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
