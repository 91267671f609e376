import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchComponent } from './bench-components.ts';
import { withSpec } from './bench-components.ts';
import type { BenchGround, Link } from './bench-ground.ts';
import { removeResource, resourceOf, untilReady } from './measure-operator.ts';
import type { ComponentName } from './measurement.ts';

/** What a component that is Ready, and that nobody touches, costs its spoke. */
export interface IdleCost {
  readonly component: ComponentName;
  readonly checks: number;
  /** In all checks together. */
  readonly writes: number;
  readonly requestsPerCheck: number;
  /** Both directions, TLS included. */
  readonly kBPerCheck: number;
}

const intervalSeconds = 10;
const checks = 6;
/** The observer starts, lists everything once and opens its watches. */
const settleMs = 15_000;
const writing: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Counts over six checks at the shortest interval that is allowed. */
export async function measureIdle(
  ground: BenchGround,
  link: Link,
  component: BenchComponent,
): Promise<IdleCost> {
  const watched = withSpec(component, { drift: { interval: `${String(intervalSeconds)}s` } });
  const ref = resourceOf(watched);
  await ground.hub.create(watched.object);
  await untilReady(ground.hub, ref);
  await sleep(settleMs);
  const meter = await link.newMeter('operator');
  await sleep(checks * intervalSeconds * 1_000);
  const { requests, bytesSent, bytesReceived } = await meter.read();
  await removeResource(ground.hub, ref);
  const counted = Object.entries(requests);
  const sum = (counts: readonly (readonly [string, number])[]): number =>
    counts.reduce((total, [, count]) => total + count, 0);
  return {
    component: component.name,
    checks,
    writes: sum(counted.filter(([verb]) => writing.has(verb))),
    requestsPerCheck: sum(counted) / checks,
    kBPerCheck: (bytesSent + bytesReceived) / 1_000 / checks,
  };
}
