import type { Results } from './results.ts';
import type { Measurement, Phase } from './measurement.ts';
import { spreadOf } from './measurement.ts';

/** One line of what this project promises of its speed, and what a run says about it. */
export interface Goal {
  readonly measure: string;
  readonly goal: string;
  readonly measured: string;
  readonly holds: boolean;
}

/** Every goal of which the run has a measurement. */
export function goalsOf(results: Results): readonly Goal[] {
  return [
    ...groups(results).flatMap((group) => [installGoal(group), removalGoal(group), requestGoal(group)]),
    ...upgradeGoals(results),
    ...idleGoals(results),
    ...driftGoals(results),
    ...historyGoals(results),
    ...memoryGoals(results),
  ];
}

interface Group {
  readonly name: string;
  readonly objects: number;
  readonly operator: readonly Measurement[];
  readonly floor: readonly Measurement[];
}

function groups({ measurements, objects }: Results): readonly Group[] {
  const keys = new Map(
    measurements.map((m) => [`${m.component} at ${String(m.roundTripMs)} ms`, m] as const),
  );
  return [...keys].map(([name, { component, roundTripMs }]) => {
    const of = (installer: Measurement['installer']) =>
      measurements.filter(
        (m) => m.component === component && m.roundTripMs === roundTripMs && m.installer === installer,
      );
    return { name, objects: objects[component], operator: of('operator'), floor: of('floor') };
  });
}

const median = (values: readonly number[]): number => spreadOf(values).median;

function installGoal({ name, operator, floor }: Group): Goal {
  const limit = 1.8 * median(floor.map(({ install }) => install.seconds)) + 0.5;
  return atMost(`${name}, create to Ready`, {
    value: median(operator.map(({ install }) => install.seconds)),
    limit,
    unit: 's',
    goal: `1.8 × floor + 0.5 s = ${limit.toFixed(2)} s`,
  });
}

function removalGoal({ name, operator, floor }: Group): Goal {
  const apart = ({ removal }: Measurement): number => removal.seconds - removal.namespaceSeconds;
  const limit = 2 * median(floor.map(apart)) + 0.5;
  return atMost(`${name}, delete to gone, without the namespace`, {
    value: median(operator.map(apart)),
    limit,
    unit: 's',
    goal: `2 × raw delete + 0.5 s = ${limit.toFixed(2)} s`,
  });
}

function requestGoal({ name, operator, objects }: Group): Goal {
  const limit = 1.3 * objects;
  return atMost(`${name}, requests of an install`, {
    value: median(operator.map(({ install }) => total(install))),
    limit,
    unit: '',
    goal: `1.3 × ${String(objects)} objects = ${limit.toFixed(0)}`,
  });
}

function upgradeGoals({ upgrade }: Results): readonly Goal[] {
  if (upgrade === undefined) return [];
  const { from, to, objects, differing, written, needless } = upgrade;
  const counts = `${String(written)} written, ${String(differing)} of ${String(objects)} differ`;
  return [
    {
      measure: `Serving ${from} to ${to}`,
      goal: 'only what differs is written',
      measured: needless.length === 0 ? counts : `${counts}; needless: ${needless.join(', ')}`,
      holds: needless.length === 0,
    },
  ];
}

function idleGoals({ idle = [] }: Results): readonly Goal[] {
  return idle.flatMap(({ component, writes, requestsPerCheck, kBPerCheck }) => [
    atMost(`${component} idle, writes`, { value: writes, limit: 0, unit: '' }),
    atMost(`${component} idle, requests a check`, { value: requestsPerCheck, limit: 20, unit: '' }),
    atMost(`${component} idle, on the wire a check`, { value: kBPerCheck, limit: 60, unit: 'kB' }),
  ]);
}

function driftGoals({ repairs }: Results): readonly Goal[] {
  if (repairs === undefined) return [];
  const row = (what: string, values: readonly number[], limit: number): Goal =>
    atMost(`${what}, 95th percentile of ${String(values.length)}`, {
      value: percentile95(values),
      limit,
      unit: 's',
    });
  return [
    row('deleted Deployment to repaired', repairs.deletedDeployment, 3),
    row('edited ConfigMap to repaired', repairs.editedConfigMap, 5),
  ];
}

function historyGoals({ histories = [] }: Results): readonly Goal[] {
  const counts = histories.map(({ events }) => events);
  const rows = histories.map(({ objects, events }) =>
    atMost(`history events from create to Ready, ${String(objects)} objects`, {
      value: events,
      limit: 120,
      unit: '',
    }),
  );
  rows.push(
    ...histories.map(({ objects, idle }) =>
      atMost(`history events a day of an idle component, ${String(objects)} objects, observer included`, {
        value: idle.perDay,
        limit: 60,
        unit: '',
      }),
    ),
  );
  if (counts.length < 2) return rows;
  const same: Goal = {
    measure: 'history events, however many objects',
    goal: 'the same',
    measured: counts.join(' and '),
    holds: new Set(counts).size === 1,
  };
  return [...rows, same];
}

function memoryGoals({ memory }: Results): readonly Goal[] {
  if (memory === undefined) return [];
  const { components, installed, restarted } = memory;
  const each = `worker memory per idle component, ${String(components)} of them`;
  return [
    atMost(`${each}, started when they were Ready`, {
      value: restarted.perComponentMB,
      limit: 0.5,
      unit: 'MB',
    }),
    atMost(`${each}, having installed them at once`, {
      value: installed.perComponentMB,
      limit: 0.5,
      unit: 'MB',
    }),
    atMost('worker memory with one spoke', { value: installed.baseMB, limit: 250, unit: 'MB' }),
  ];
}

interface Bound {
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly goal?: string;
}

function atMost(measure: string, { value, limit, unit, goal }: Bound): Goal {
  const text = (number: number): string => {
    const digits = Number.isInteger(number) ? String(number) : number.toFixed(2);
    return unit === '' ? digits : `${digits} ${unit}`;
  };
  return { measure, goal: `at most ${goal ?? text(limit)}`, measured: text(value), holds: value <= limit };
}

/** The value that at most one in twenty exceeds. */
export function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

function total({ requests }: Phase): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}
