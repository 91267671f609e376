import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { describe, expect, inject, test } from 'vitest';

import { scanHistory } from '../support/history-scan.ts';

Runtime.install({ logger: new DefaultLogger('ERROR') });

const folder = join(import.meta.dirname, 'histories');
const shapes = readdirSync(folder).filter((file) => file.endsWith('.json'));

const historyOf = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

async function replay(history: unknown): Promise<readonly (Error | undefined)[]> {
  const workflowBundle = { codePath: inject('workflowBundle') };
  const errors: (Error | undefined)[] = [];
  const histories = [{ workflowId: 'KnativeServing/team/serving', history }];
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories)) errors.push(error);
  return errors;
}

describe('workflow code', () => {
  test('has a recorded history of every shape that a component can have, and of an observer', () => {
    expect(shapes.map((file) => file.replace('.json', '')).toSorted()).toEqual([
      'blocked-then-ready',
      'cleanup-after-outage',
      'finalized-clean',
      'finalized-deferred',
      'finalized-forced',
      'finalized-retained',
      'install-to-ready',
      'observer-until-unused',
    ]);
  });

  test.each(shapes)('replays %s as it was recorded', async (file) => {
    expect(await replay(historyOf(file))).toEqual([undefined]);
  });

  test.each(shapes)('%s holds nothing that must not be in a history', (file) => {
    expect(scanHistory(historyOf(file))).toEqual([]);
  });

  test('is told when it no longer fits a history', async () => {
    const text = readFileSync(join(folder, 'install-to-ready.json'), 'utf8');
    const [error] = await replay(JSON.parse(text.replaceAll('"planRelease"', '"planSomethingElse"')));
    expect(error?.name).toBe('DeterminismViolationError');
  });
});
