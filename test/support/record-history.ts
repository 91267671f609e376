import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/**
 * Keeps the history of a workflow as one that later workflow code must replay, when environment variable
 * `KNATIVE_FLEET_RECORD` is 1. The file is named by the shape and tells nothing about the machine.
 */
export async function recordHistory(shape: string, handle: WorkflowHandle): Promise<void> {
  if (process.env['KNATIVE_FLEET_RECORD'] !== '1') return;
  const folder = join(import.meta.dirname, '../replay/histories');
  await mkdir(folder, { recursive: true });
  const history = anonymousHistory(historyToJSON(await handle.fetchHistory()));
  await writeFile(join(folder, `${shape}.json`), `${history}\n`);
}

/** A history in JSON form without names of machines and paths of files, one event a line. */
export function anonymousHistory(json: string): string {
  const { events } = JSON.parse(json, (key, value: unknown) => {
    if (key === 'stackTrace') return undefined;
    if (key === 'identity') return 'test';
    return isSticky(value) ? { ...value, name: 'sticky' } : value;
  }) as { events: unknown[] };
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}`;
}

function isSticky(value: unknown): value is { kind: string; name: string } {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'TASK_QUEUE_KIND_STICKY'
  );
}
