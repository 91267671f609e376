import type { Installs } from '../dev/simulated-spokes/measure-installs.ts';
import { spreadOf } from './measurement.ts';

/** The same installs without and with dead spokes beside them. */
export interface IsolationPair {
  /** Median over the healthy spokes, seconds. */
  readonly alone: number;
  readonly beside: number;
  readonly ratio: number;
  /** Median over the healthy spokes. */
  readonly requestsAlone: number;
  readonly requestsBeside: number;
  /** What some healthy spoke was asked in one run more often than every spoke in the other. */
  readonly differences: readonly string[];
}

/**
 * Who a cluster is, is asked again when the last answer is some seconds old. That goes by how busy the machine is and
 * not by what is done, so it is no difference between runs.
 */
export const identityRequest = 'GET /api/v1/namespaces/kube-system';

/** Throws when a run is missing. */
export function isolationPair(alone: Installs | undefined, beside: Installs | undefined): IsolationPair {
  if (alone === undefined || beside === undefined) throw new Error('a pair needs two runs');
  const medians = [alone, beside].map(({ secondsToReady }) => spreadOf(secondsToReady).median);
  const requests = [alone, beside].map((run) => spreadOf(run.requests.map(total)).median);
  const [first = Number.NaN, second = Number.NaN] = medians;
  const [requestsAlone = 0, requestsBeside = 0] = requests;
  return {
    alone: first,
    beside: second,
    ratio: second / first,
    requestsAlone,
    requestsBeside,
    differences: differingRequests(alone, beside),
  };
}

/** Requests but the one above whose greatest number over the spokes is not the same in both runs, as `GET /api: 3, 4`. */
export function differingRequests(alone: Installs, beside: Installs): readonly string[] {
  const [first, second] = [mostOf(alone), mostOf(beside)];
  return [...new Set([...first.keys(), ...second.keys()])]
    .filter((request) => request !== identityRequest && first.get(request) !== second.get(request))
    .map((request) => `${request}: ${String(first.get(request) ?? 0)}, ${String(second.get(request) ?? 0)}`);
}

function mostOf({ requests }: Installs): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const one of requests) {
    for (const [request, count] of Object.entries(one))
      most.set(request, Math.max(count, most.get(request) ?? 0));
  }
  return most;
}

function total(requests: Readonly<Record<string, number>>): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** A Markdown table with a row for each pair. */
export function renderIsolation(
  { healthy, blackHoled }: { readonly healthy: number; readonly blackHoled: number },
  pairs: readonly IsolationPair[],
): string {
  const rows = pairs.map((pair, index) =>
    [
      String(index + 1),
      pair.alone.toFixed(1),
      pair.beside.toFixed(1),
      pair.ratio.toFixed(2),
      String(pair.requestsAlone),
      String(pair.requestsBeside),
      pair.differences.length === 0 ? 'none' : pair.differences.join('; '),
    ].join(' | '),
  );
  return [
    `${String(healthy)} healthy spokes, alone and beside ${String(blackHoled)} that never answer; median seconds to Ready and requests to a healthy spoke`,
    '',
    '| pair | alone | beside | ratio | requests alone | requests beside | differing requests |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
