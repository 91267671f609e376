import { expect, test } from 'vitest';

import { runsFrom } from '../support/run-chain.ts';
import { openTimeSkippingBench } from '../support/time-skipping-bench.ts';

/** The server suggests to continue as new after 4,096; one comparison more may be under way. */
const maxEvents = 4_200;
/** Two comparisons a day, more or less a fifth; `npm run test:endurance` waits for 100,000. */
const cycles = Number(process.env['KNATIVE_FLEET_CYCLES'] ?? '600');
/** The test server gets slower the longer it has run, so that more than this go into several lives, each on its own. */
const longestLife = 12_500;
const lanes = 2;

/** One life of a component, from its install through so many comparisons; resolves to the number of its runs. */
async function live(comparisons: number): Promise<number> {
  const bench = await openTimeSkippingBench();
  try {
    const component = await bench.start();
    await component.reaches('Ready');
    const { runId } = await component.handle.describe();
    const days = comparisons / 2;
    for (let passed = 0; passed < days; passed += 50) await bench.skip(Math.min(50, days - passed));

    const probes = component.calls.filter((call) => call === 'probeTarget').length;
    expect(probes).toBeGreaterThan(comparisons / 1.25);
    expect(probes).toBeLessThan(comparisons / 0.75);
    expect(component.calls.filter((call) => call === 'applyStages')).toHaveLength(1);
    const runs = await runsFrom(bench.client, component.handle.workflowId, runId);
    expect(runs.length).toBeGreaterThan((comparisons * 8) / maxEvents);
    expect(Math.max(...runs.map(({ events }) => events))).toBeLessThan(maxEvents);
    return runs.length;
  } finally {
    await bench.stop();
  }
}

test(
  'a component that nobody touches compares for years with a bounded history',
  { timeout: 6_000_000 },
  async () => {
    const count = Math.ceil(cycles / longestLife);
    let ended = 0;
    const lane = async (first: number): Promise<void> => {
      for (let life = first; life < count; life += lanes) {
        const runs = await live(cycles / count);
        ended += 1;
        const at = new Date().toISOString().slice(11, 19);
        if (count > 1) process.stdout.write(`${at} life ${ended} of ${count} had ${runs} runs\n`);
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first)));
    expect(ended).toBe(count);
  },
);
