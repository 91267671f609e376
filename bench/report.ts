import { goalsOf } from './goals.ts';
import type { Measurement, Phase, Spread } from './measurement.ts';
import { spreadOf } from './measurement.ts';
import { referenceDate, references } from './reference.ts';
import type { Results } from './results.ts';

interface Group {
  readonly component: Measurement['component'];
  readonly roundTripMs: number;
  readonly operator: readonly Measurement[];
  readonly floor: readonly Measurement[];
}

/** Markdown tables: what holds, seconds beside the floor and the recorded reference, what was sent, and what it took. */
export function renderReport(results: Results): string {
  const groups = groupsOf(results.measurements);
  return [
    '### Goals',
    '',
    table(
      ['measure', 'goal', 'measured', 'holds'],
      goalsOf(results).map(({ measure, goal, measured, holds }) => [
        measure,
        goal,
        measured,
        holds ? 'yes' : '**no**',
      ]),
    ),
    '',
    ...(groups.length === 0 ? [] : installTables(groups)),
    '### Processes, over the whole run',
    '',
    table(['process', 'CPU seconds', 'MB at the end', 'MB at most'], usageRows(results)),
    '',
  ].join('\n');
}

function installTables(groups: readonly Group[]): readonly string[] {
  const reference = `Go, ${referenceDate}`;
  return [
    '### Seconds, median (least to most)',
    '',
    table(
      ['component', 'round trip', 'phase', 'operator', 'floor', 'ratio', reference, 'Go / operator'],
      groups.flatMap(durationRows),
    ),
    '',
    '### Sent to the spoke, median',
    '',
    table(
      ['component', 'round trip', 'phase', 'by', 'requests', 'by verb', 'made', 'kB sent', 'kB received'],
      groups.flatMap(trafficRows),
    ),
    '',
  ];
}

function usageRows({ usage }: Results): readonly string[][] {
  return Object.entries(usage).map(([name, { cpuSeconds, residentMB, peakMB }]) => [
    name,
    cpuSeconds.toFixed(0),
    residentMB.toFixed(0),
    peakMB.toFixed(0),
  ]);
}

function groupsOf(measurements: readonly Measurement[]): readonly Group[] {
  const keys = new Map(measurements.map((m) => [`${m.component} ${String(m.roundTripMs)}`, m] as const));
  return [...keys.values()].map(({ component, roundTripMs }) => {
    const of = (installer: Measurement['installer']) =>
      measurements.filter(
        (m) => m.component === component && m.roundTripMs === roundTripMs && m.installer === installer,
      );
    return { component, roundTripMs, operator: of('operator'), floor: of('floor') };
  });
}

function durationRows(group: Group): readonly string[][] {
  const known = references.find(
    (r) => r.component === group.component && r.roundTripMs === group.roundTripMs,
  );
  const row = (
    phase: string,
    seconds: (m: Measurement) => number,
    reference: number | undefined,
  ): string[] => {
    const operator = spreadOf(group.operator.map(seconds));
    const floor = spreadOf(group.floor.map(seconds));
    return [
      ...labelOf(group),
      phase,
      spreadText(operator),
      spreadText(floor),
      (operator.median / floor.median).toFixed(1),
      reference === undefined ? '' : reference.toFixed(1),
      reference === undefined ? '' : (reference / operator.median).toFixed(1),
    ];
  };
  return [
    row('create to Ready', (m) => m.install.seconds, known?.install),
    row('delete to gone', (m) => m.removal.seconds, known?.removal),
    row('of that the namespace', (m) => m.removal.namespaceSeconds, undefined),
    row('without the namespace', (m) => m.removal.seconds - m.removal.namespaceSeconds, undefined),
  ];
}

function trafficRows(group: Group): readonly string[][] {
  return (['install', 'removal'] as const).flatMap((phase) =>
    (['operator', 'floor'] as const).map((by) => {
      const phases = group[by].map((m) => m[phase]);
      return [...labelOf(group), phase, by, ...trafficCells(phases)];
    }),
  );
}

function trafficCells(phases: readonly Phase[]): string[] {
  const median = (value: (phase: Phase) => number): string => spreadOf(phases.map(value)).median.toFixed(0);
  const verbs = [...new Set(phases.flatMap(({ requests }) => Object.keys(requests)))].toSorted();
  return [
    median(({ requests }) => Object.values(requests).reduce((sum, count) => sum + count, 0)),
    verbs
      .map((verb) => [verb, median(({ requests }) => requests[verb] ?? 0)])
      .filter(([, count]) => count !== '0')
      .map((cells) => cells.join(' '))
      .join(', '),
    median(({ created }) => created),
    median(({ bytesSent }) => bytesSent / 1000),
    median(({ bytesReceived }) => bytesReceived / 1000),
  ];
}

function labelOf(group: Group): string[] {
  return [group.component, `${String(group.roundTripMs)} ms`];
}

function spreadText({ median, least, most }: Spread): string {
  return `${median.toFixed(1)} (${least.toFixed(1)} to ${most.toFixed(1)})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
