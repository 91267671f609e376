import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { messageOf } from '../../domain/errors.ts';
import type { Installer } from './installer.ts';
import { createOperatorInstaller } from './operator-installer.ts';
import type { RecordedCase, Recordings } from './recordings.ts';
import { readRecordings } from './recordings.ts';
import { describeVerdict } from './report.ts';
import { runCase } from './run-case.ts';

const usage = `usage: npm run conformance -- --dir DIR [--only NAME]... [--concurrency N]
  --dir          directory of recordings; ../releases and ../crds are looked for beside it
  --only         a case, or the beginning of the names of several
  --concurrency  how many cases run at once, each on a cluster of its own; default 2`;

interface Options {
  readonly directory: string;
  readonly only: readonly string[];
  readonly concurrency: number;
}

function readOptions(): Options {
  const beside = fileURLToPath(new URL('../../../shared/conformance', import.meta.url));
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', default: beside },
      only: { type: 'string', multiple: true, default: [] },
      concurrency: { type: 'string', default: '2' },
    },
  });
  const directory = resolve(values.dir);
  const concurrency = Number(values.concurrency);
  for (const needed of ['cases', 'objects', '../releases', '../crds/stubs.yaml']) {
    if (!existsSync(join(directory, needed)))
      throw new Error(`${join(directory, needed)} does not exist\n${usage}`);
  }
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new Error(`--concurrency is no number\n${usage}`);
  return { directory, only: values.only, concurrency };
}

async function main(): Promise<boolean> {
  const options = readOptions();
  const recordings = readRecordings(options.directory);
  const wanted = recordings.cases.filter(
    ({ name }) => options.only.length === 0 || options.only.some((start) => name.startsWith(start)),
  );
  if (wanted.length === 0) throw new Error(`no case is named ${options.only.join(', ')}\n${usage}`);
  console.log(`${String(wanted.length)} cases`);
  const installer = createOperatorInstaller({
    releases: join(options.directory, '../releases'),
    stubs: join(options.directory, '../crds/stubs.yaml'),
  });
  try {
    const failed = await runAll(installer, recordings, wanted, options.concurrency);
    console.log(`${String(wanted.length - failed.length)} passed, ${String(failed.length)} failed`);
    if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
    return failed.length === 0;
  } finally {
    await installer.stop();
  }
}

/** Returns the names of those that failed. */
async function runAll(
  installer: Installer,
  recordings: Recordings,
  wanted: readonly RecordedCase[],
  concurrency: number,
): Promise<readonly string[]> {
  const queue = [...wanted];
  const failed: string[] = [];
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (!(await runOne(installer, recordings, next))) failed.push(next.name);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return failed;
}

async function runOne(
  installer: Installer,
  recordings: Recordings,
  recorded: RecordedCase,
): Promise<boolean> {
  const startedAt = performance.now();
  const seconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    const verdict = await runCase(installer, recordings, recorded);
    console.log(describeVerdict(recorded, verdict, seconds()));
    return verdict.unexplained.length + verdict.stale.length === 0;
  } catch (error) {
    console.log(`FAIL ${recorded.name} (${seconds()} s): ${messageOf(error)}`);
    return false;
  }
}

main().then(
  (held) => {
    process.exitCode = held ? 0 : 1;
  },
  (error: unknown) => {
    console.error(`conformance: ${messageOf(error)}`);
    process.exitCode = 1;
  },
);
