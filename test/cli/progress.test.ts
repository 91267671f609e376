import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { withProgress } from '../../cli/output/progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function run(seconds: number, redraws: boolean): Promise<string> {
  const notes: string[] = [];
  const terminal = { note: (text: string) => void notes.push(text), redraws };
  const done = withProgress(terminal, 'working', async (progress) => {
    await vi.advanceTimersByTimeAsync((seconds * 1000) / 2);
    progress.show('still working');
    await vi.advanceTimersByTimeAsync((seconds * 1000) / 2);
  });
  await done;
  return notes.join('');
}

test('says nothing for what takes less than a second', async () => {
  expect(await run(0.8, true)).toBe('');
  expect(await run(0.8, false)).toBe('');
});

test('writes plain lines where nothing can be redrawn: one after a second, then one every 15 s', async () => {
  const lines = (await run(20, false)).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^working \(\d+ s\)$/);
  expect(lines[1]).toMatch(/^still working \(\d+ s\)$/);
});

test('redraws one line on a terminal and leaves nothing behind', async () => {
  const text = await run(3, true);
  expect(text).toContain('working');
  expect(text).not.toContain('\n');
  expect(text.endsWith('\r\u001b[K')).toBe(true);
});
