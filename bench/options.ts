import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly repeat: number;
  /** Round trips to the spoke, in milliseconds. */
  readonly roundTrips: readonly number[];
  /** Where to write every measurement as JSON; undefined for nowhere. */
  readonly json: string | undefined;
}

/** Throws with the option's name when a value cannot be used. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      repeat: { type: 'string', default: '3' },
      'round-trips': { type: 'string', default: '0,100' },
      json: { type: 'string' },
    },
  });
  return {
    repeat: whole('--repeat', values.repeat, 1),
    roundTrips: values['round-trips'].split(',').map((text) => whole('--round-trips', text, 0)),
    json: values.json,
  };
}

/** Throws with the option's name when the text is not a whole number of at least `least`. */
export function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`${name}: ${text} is not a whole number of at least ${String(least)}`);
}
