import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = `usage: npm run conformance -- --dir DIR [--only NAME]... [--pairs all|N] [--seed S] [--concurrency N]
  --dir          directory of recordings; ../releases and ../crds are looked for beside it
  --only         a case, or the beginning of the names of several; with --pairs: both cases of a pair
  --pairs        instead of single cases, change installed resources from one case to another and back, for that many
                 ordered pairs of cases of one kind, or for all
  --seed         which pairs, and in which order; default 1
  --concurrency  how many clusters are used at once; default 2`;

export interface Options {
  readonly directory: string;
  readonly only: readonly string[];
  readonly concurrency: number;
  /** How many ordered pairs; undefined for single cases. */
  readonly pairs: number | undefined;
  readonly seed: number;
}

/** Reads the command line; throws with the usage when it makes no sense. */
export function readOptions(): Options {
  const beside = fileURLToPath(new URL('../../../shared/conformance', import.meta.url));
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', default: beside },
      only: { type: 'string', multiple: true, default: [] },
      concurrency: { type: 'string', default: '2' },
      pairs: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  });
  const directory = resolve(values.dir);
  for (const needed of ['cases', 'objects', '../releases', '../crds/stubs.yaml']) {
    if (!existsSync(join(directory, needed))) throw refusal(`${join(directory, needed)} does not exist`);
  }
  return {
    directory,
    only: values.only,
    concurrency: positive('--concurrency', values.concurrency),
    pairs: values.pairs === undefined ? undefined : countOf(values.pairs),
    seed: positive('--seed', values.seed),
  };
}

/** An error that says how the command is used. */
export function refusal(why: string): Error {
  return new Error(`${why}\n${usage}`);
}

function countOf(pairs: string): number {
  return pairs === 'all' ? Infinity : positive('--pairs', pairs);
}

function positive(flag: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw refusal(`${flag} takes a number above 0, not ${value}`);
  return number;
}
