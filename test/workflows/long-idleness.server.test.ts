import { afterAll, beforeAll, expect, test } from 'vitest';

import { runsFrom } from '../support/run-chain.ts';
import type { TimeSkippingBench } from '../support/time-skipping-bench.ts';
import { openTimeSkippingBench } from '../support/time-skipping-bench.ts';

/** The server suggests to continue as new after 4,096; one comparison more may be under way. */
const maxEvents = 4_200;
/** Two comparisons a day, more or less a fifth; `npm run test:endurance` waits for 100,000. */
const cycles = Number(process.env['KNATIVE_FLEET_CYCLES'] ?? '600');
const days = cycles / 2;

let bench: TimeSkippingBench;

beforeAll(async () => {
  bench = await openTimeSkippingBench();
});

afterAll(async () => {
  await bench?.stop();
});

test(
  'a component that nobody touches compares for years with a bounded history',
  { timeout: 6_000_000 },
  async () => {
    const component = await bench.start();
    await component.reaches('Ready');
    const { runId } = await component.handle.describe();
    for (let passed = 0; passed < days; passed += 50) await bench.skip(Math.min(50, days - passed));

    const probes = component.calls.filter((call) => call === 'probeTarget').length;
    expect(probes).toBeGreaterThan(cycles / 1.25);
    expect(probes).toBeLessThan(cycles / 0.75);
    expect(component.calls.filter((call) => call === 'applyStages')).toHaveLength(1);
    const runs = await runsFrom(bench.client, component.handle.workflowId, runId);
    expect(runs.length).toBeGreaterThan((cycles * 8) / maxEvents);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(maxEvents);
  },
);
