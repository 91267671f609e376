import { readFile, writeFile } from 'node:fs/promises';

import { renderReport } from './report.ts';
import type { Results } from './results.ts';

const begin = '<!-- results: begin -->';
const end = '<!-- results: end -->';

/** Puts the results of a run between the marks of a document. Rejects when the document has no marks. */
export async function writeDocument(file: string, results: Results): Promise<void> {
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} has no lines ${begin} and ${end}`);
  const section = `${begin}\n\n${machineText(results)}\n\n${renderReport(results)}\n`;
  await writeFile(file, `${text.slice(0, from)}${section}${text.slice(to)}`);
}

function machineText({ machine }: Results): string {
  const { date, cores, memoryGb, node, repetitions, versions, allocator } = machine;
  const unlikeImage = ' (without libjemalloc2, so memory is not that of the image)';
  return (
    `Run on ${date} on a machine with ${String(cores)} cores and ${String(memoryGb)} GB, with everything on it: hub, ` +
    `spoke, Temporal, worker and starter, simulated nodes on which Pods run at once. ${versions}; Node.js ` +
    `${node.replace('v', '')} with ${allocator}${allocator === 'malloc' ? unlikeImage : ''}; ` +
    `${String(repetitions)} repetitions.`
  );
}
