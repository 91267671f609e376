import { writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';

import { findReleases } from '../dev/demo/find-releases.ts';
import type { DemoReleases } from '../dev/demo/find-releases.ts';
import { createProgress } from '../dev/demo/progress.ts';
import type { Progress } from '../dev/demo/progress.ts';
import { jemallocPath } from '../dev/operator/image-environment.ts';
import { messageOf } from '../domain/errors.ts';
import { benchComponents, renderedObjects, withSpec } from './bench-components.ts';
import type { BenchComponent } from './bench-components.ts';
import type { BenchGround } from './bench-ground.ts';
import { startGround } from './bench-ground.ts';
import { measureDrift } from './measure-drift.ts';
import { measureHistory } from './measure-history.ts';
import { measureIdle } from './measure-idle.ts';
import { measureInstalls, withLink } from './measure-installs.ts';
import { measureMemory } from './measure-memory.ts';
import { measureUpgrade } from './measure-upgrade.ts';
import { readOptions } from './options.ts';
import type { BenchOptions, Section } from './options.ts';
import { processUsage } from './process-usage.ts';
import { renderReport } from './report.ts';
import type { Results } from './results.ts';
import { writeDocument } from './write-document.ts';

interface Work {
  readonly options: BenchOptions;
  readonly progress: Progress;
  readonly releases: DemoReleases;
  readonly ground: BenchGround;
  readonly serving: BenchComponent;
  readonly eventing: BenchComponent;
}

/** Measures what the arguments ask for, prints it, and writes it where they say. Ends the process with 1 on a failure. */
export async function runBench(args: readonly string[]): Promise<void> {
  try {
    await run(readOptions(args));
  } catch (error) {
    process.stderr.write(`bench: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

async function run(options: BenchOptions): Promise<void> {
  const progress = createProgress();
  const releases = await findReleases();
  progress.say(`releases: ${releases.root}`);
  progress.say('starting Temporal, a hub, a spoke behind a proxy, worker and starter');
  const ground = await startGround(releases);
  try {
    const [serving, eventing] = benchComponents(releases, ground.profile);
    if (serving === undefined || eventing === undefined) throw new Error('both components are needed');
    const results = await measureAll({ options, progress, releases, ground, serving, eventing });
    process.stdout.write(`\n${renderReport(results)}\n`);
    if (options.json !== undefined) await writeFile(options.json, JSON.stringify(results, undefined, 2));
    if (options.document !== undefined) await writeDocument(options.document, results);
  } finally {
    progress.say('stopping');
    await ground.stop();
  }
}

async function measureAll(work: Work): Promise<Results> {
  const { options, releases, ground, progress } = work;
  const section = async <T>(
    name: Section,
    what: string,
    measure: () => Promise<T>,
  ): Promise<T | undefined> => {
    if (!options.sections.includes(name)) return undefined;
    progress.say(what);
    return measure();
  };
  const { repeat, roundTrips } = options;
  const installs = () => measureInstalls({ ground, releases, progress, repeat, roundTrips });
  const measured = {
    measurements: (await section('installs', 'installs and removals', installs)) ?? [],
    upgrade: await section('upgrade', 'upgrade of Serving', () => upgrade(work)),
    idle: await section('idle', 'six checks of each idle component', () => idle(work)),
    repairs: await section('drift', 'drift and repair', () => drift(work)),
    histories: await section('history', 'histories of installs', () => histories(work)),
  };
  const usage = await usageOf(ground);
  const { memory: components } = options;
  const { temporal } = ground;
  const memory = await section('memory', `memory with ${String(components)} components`, () =>
    measureMemory({ temporal, releases }, components),
  );
  const [serving, eventing] = await Promise.all([
    objectsOf(work, work.serving),
    objectsOf(work, work.eventing),
  ]);
  const objects = { serving: serving.length + 1, eventing: eventing.length + 1 };
  return { machine: machine(work), objects, ...measured, usage, memory };
}

const objectsOf = ({ releases, ground }: Work, component: BenchComponent) =>
  renderedObjects(component, releases, ground.cache);

/** From the first patch release of the same minor version. */
async function upgrade(work: Work): Promise<Results['upgrade']> {
  const to = work.serving.version;
  const first = to.replace(/\d+$/, '0');
  const component = { ...withSpec(work.serving, { version: first }), version: first };
  const [from, wanted] = await Promise.all([objectsOf(work, component), objectsOf(work, work.serving)]);
  return withLink(work.ground, 0, () =>
    measureUpgrade({ ground: work.ground, component, to, objects: { from, to: wanted } }),
  );
}

async function idle({ ground, serving, eventing }: Work): Promise<Results['idle']> {
  const first = await withLink(ground, 0, (link) => measureIdle(ground, link, serving));
  return [first, await withLink(ground, 0, (link) => measureIdle(ground, link, eventing))];
}

async function drift(work: Work): Promise<Results['repairs']> {
  const { ground, serving: component } = work;
  const objects = await objectsOf(work, component);
  const times = work.options.changes;
  return withLink(ground, 0, () => measureDrift({ ground, component, objects, times }));
}

/** Serving with one ingress, and Eventing with every source. */
async function histories(work: Work): Promise<Results['histories']> {
  const sources = ['ceph', 'github', 'gitlab', 'kafka', 'rabbitmq', 'redis'];
  const source = Object.fromEntries(sources.map((name) => [name, { enabled: true }]));
  const large = withSpec(work.eventing, { source });
  const counted = [];
  for (const component of [work.serving, large]) {
    const { length } = await objectsOf(work, component);
    counted.push(await withLink(work.ground, 0, () => measureHistory(work.ground, component, length)));
  }
  return counted;
}

async function usageOf({ processes }: BenchGround): Promise<Results['usage']> {
  const [worker, starter, temporal] = await Promise.all([
    processUsage(processes.worker),
    processUsage(processes.starter),
    processUsage(processes.temporal),
  ]);
  return { worker, starter, temporal };
}

function machine({ options, releases }: Work): Results['machine'] {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    repetitions: options.repeat,
    versions: `Serving ${releases.serving} with Kourier and Eventing ${releases.eventing}`,
    allocator: jemallocPath() === undefined ? 'malloc' : 'jemalloc',
  };
}
