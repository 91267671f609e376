import { join } from 'node:path';

import { messageOf } from '../../domain/errors.ts';
import { createOperatorInstaller } from './operator-installer.ts';
import type { Options } from './options.ts';
import { readOptions, refusal } from './options.ts';
import { readRecordings } from './recordings.ts';
import type { RecordedCase, Recordings } from './recordings.ts';
import { runCases } from './run-cases.ts';
import type { Tally } from './run-cases.ts';
import { runPairs } from './run-pairs.ts';

async function main(): Promise<boolean> {
  const options = readOptions();
  const recordings = readRecordings(options.directory);
  const wanted = recordings.cases.filter(
    ({ name }) => options.only.length === 0 || options.only.some((start) => name.startsWith(start)),
  );
  if (wanted.length === 0) throw refusal(`no case is named ${options.only.join(', ')}`);
  const { passed, failed } = await run(options, recordings, wanted);
  console.log(`${String(passed)} passed, ${String(failed.length)} failed`);
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
  return failed.length === 0;
}

async function run(
  options: Options,
  recordings: Recordings,
  wanted: readonly RecordedCase[],
): Promise<Tally> {
  const installer = createOperatorInstaller({
    releases: join(options.directory, '../releases'),
    stubs: join(options.directory, '../crds/stubs.yaml'),
  });
  const work = { installer, recordings, concurrency: options.concurrency };
  try {
    return options.pairs === undefined
      ? await runCases(work, wanted)
      : await runPairs(work, wanted, { count: options.pairs, seed: options.seed });
  } finally {
    await installer.stop();
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
