import { targetInventoryName } from '../adapters/target/inventory-store.ts';
import type { Installs } from '../dev/simulated-spokes/measure-installs.ts';
import { componentKinds } from '../domain/api/component-ref.ts';
import { claimNamespace } from '../domain/api/wire-names.ts';
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
  /** What the median healthy spoke was not sent as often in both runs. */
  readonly differences: readonly string[];
}

/**
 * Who a cluster is, and what is in an inventory, is asked again when that was heard or written some seconds ago. That
 * goes by how busy the machine is and not by what is done, so it is no difference between runs.
 */
export const askedByClock: ReadonlySet<string> = new Set([
  'GET /api/v1/namespaces/kube-system',
  ...componentKinds.map(
    (kind) => `GET /api/v1/namespaces/${claimNamespace}/configmaps/${targetInventoryName(kind)}`,
  ),
]);

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
    differences: differingRequests(alone, beside).map(
      ({ request, alone: before, beside: after }) => `${request}: ${String(before)}, ${String(after)}`,
    ),
  };
}

/** How often the median healthy spoke was sent it. */
export interface DifferingRequest {
  /** `<method> <path>`. */
  readonly request: string;
  readonly alone: number;
  readonly beside: number;
}

/**
 * Requests but those by the clock that the median healthy spoke was not sent as often in both runs. The median, since a
 * busy machine makes some spoke of many ask something twice.
 */
export function differingRequests(alone: Installs, beside: Installs): readonly DifferingRequest[] {
  const names = new Set([alone, beside].flatMap(({ requests }) => requests.flatMap(Object.keys)));
  return [...names]
    .filter((request) => !askedByClock.has(request))
    .map((request) => ({
      request,
      alone: medianOf(request, alone),
      beside: medianOf(request, beside),
    }))
    .filter((counts) => counts.alone !== counts.beside);
}

function medianOf(request: string, { requests }: Installs): number {
  return spreadOf(requests.map((one) => one[request] ?? 0)).median;
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
