import type { Measurement, Phase, Spread } from './measurement.ts';
import { spreadOf } from './measurement.ts';
import { referenceDate, references } from './reference.ts';

interface Group {
  readonly component: Measurement['component'];
  readonly roundTripMs: number;
  readonly operator: readonly Measurement[];
  readonly floor: readonly Measurement[];
}

/** Two Markdown tables: seconds beside the floor and the recorded reference, and what was sent to the spoke. */
export function renderReport(measurements: readonly Measurement[]): string {
  const groups = groupsOf(measurements);
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
  ].join('\n');
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
