import { readFile } from 'node:fs/promises';

import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, test } from 'vitest';

import type { HistoryEntry } from '../../cli/history/history-entries.ts';
import { historyEntries } from '../../cli/history/history-entries.ts';

async function recorded(name: string): Promise<readonly HistoryEntry[]> {
  const url = new URL(`../replay/histories/${name}.json`, import.meta.url);
  const { events } = historyFromJSON(JSON.parse(await readFile(url, 'utf8')));
  return historyEntries(events ?? [], 'run-1');
}

describe('historyEntries', () => {
  test('names the target, the time and the outcome of every step of an installation', async () => {
    const entries = await recorded('install-to-ready');
    expect(entries.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['resolveTarget', 'planRelease', 'claimTarget', 'applyStages', 'reportReady']),
    );
    const apply = entries.find(({ step }) => step === 'applyStages');
    expect(apply).toMatchObject({ runId: 'run-1', target: 'fleet/spoke-1', outcome: 'done' });
    expect(apply?.what).toMatch(/^created \d+, changed \d+, unchanged \d+/);
    const times = entries.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
  });

  test('says who forced a cleanup and why, and how the run ended', async () => {
    const entries = await recorded('finalized-forced');
    const asked = entries.find(({ outcome }) => outcome === 'asked');
    expect(asked).toMatchObject({ step: 'forceCleanup', wrote: false });
    expect(asked?.what).toMatch(/^asked by .+: .+/);
    expect(entries.at(-1)).toMatchObject({ step: 'workflow', outcome: 'ended', what: 'Abandoned' });
  });

  test('shows failures with their kind', async () => {
    const entries = await recorded('blocked-then-ready');
    const failed = entries.find(({ outcome }) => outcome === 'failed');
    expect(failed?.what).toMatch(/^[A-Z]\w+: /);
  });
});
