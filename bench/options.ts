import { parseArgs } from 'node:util';

export const sections = ['installs', 'upgrade', 'idle', 'drift', 'history', 'memory'] as const;
export type Section = (typeof sections)[number];

export interface BenchOptions {
  readonly sections: readonly Section[];
  readonly repeat: number;
  /** Round trips to the spoke, in milliseconds. */
  readonly roundTrips: readonly number[];
  /** Where to write every measurement as JSON; undefined for nowhere. */
  readonly json: string | undefined;
  /** Changes of each kind that are repaired. */
  readonly changes: number;
  /** Components of which the memory is measured. */
  readonly memory: number;
  /** Where the results are written between their marks; undefined for nowhere, as when a section is left out. */
  readonly document: string | undefined;
}

/** Throws with the option's name when a value cannot be used. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sections: { type: 'string', default: sections.join(',') },
      repeat: { type: 'string', default: '5' },
      changes: { type: 'string', default: '20' },
      components: { type: 'string', default: '100' },
      document: { type: 'string', default: 'docs/benchmarks.md' },
      'round-trips': { type: 'string', default: '0,100' },
      json: { type: 'string' },
    },
  });
  const chosen = values.sections.split(',').map(sectionOf);
  return {
    sections: chosen,
    changes: whole('--changes', values.changes, 1),
    memory: whole('--components', values.components, 4),
    document: sections.every((name) => chosen.includes(name)) ? values.document : undefined,
    repeat: whole('--repeat', values.repeat, 1),
    roundTrips: values['round-trips'].split(',').map((text) => whole('--round-trips', text, 0)),
    json: values.json,
  };
}

function sectionOf(text: string): Section {
  const found = sections.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Error(`--sections: ${text} is none of ${sections.join(', ')}`);
}

/** Throws with the option's name when the text is not a whole number of at least `least`. */
export function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`${name}: ${text} is not a whole number of at least ${String(least)}`);
}
