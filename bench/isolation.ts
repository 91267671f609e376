import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { findReleases } from '../dev/demo/find-releases.ts';
import { createProgress } from '../dev/demo/progress.ts';
import { measureOnNewGround } from '../dev/simulated-spokes/simulated-ground.ts';
import { createNamespace } from '../dev/temporal/create-namespace.ts';
import { startTemporal } from '../dev/temporal/start-temporal.ts';
import { messageOf } from '../domain/errors.ts';
import { isolationPair, renderIsolation } from './isolation-report.ts';
import type { IsolationPair } from './isolation-report.ts';
import { whole } from './options.ts';

/** What dead spokes cost the others: Serving on simulated spokes, with and without spokes that never answer. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      repeat: { type: 'string', default: '3' },
      spokes: { type: 'string', default: '50' },
      'black-holed': { type: 'string', default: '10' },
      json: { type: 'string' },
    },
  });
  const repeat = whole('--repeat', values.repeat, 1);
  const blackHoled = whole('--black-holed', values['black-holed'], 1);
  const healthy = whole('--spokes', values.spokes, blackHoled + 1) - blackHoled;
  const progress = createProgress();
  const releases = await findReleases();
  const temporal = await startTemporal();
  try {
    const measure = async (dead: number) => {
      const namespace = `isolation-${randomUUID()}`;
      await createNamespace(temporal.address, namespace);
      const place = { address: temporal.address, namespace };
      return measureOnNewGround({ temporal: place, releases, healthy, blackHoled: dead });
    };
    const pairs: IsolationPair[] = [];
    for (let round = 1; round <= repeat; round++) {
      // What comes first may find a colder or a busier machine.
      const order = round % 2 === 0 ? [blackHoled, 0] : [0, blackHoled];
      const runs = new Map<number, Awaited<ReturnType<typeof measure>>>();
      for (const dead of order) runs.set(dead, await measure(dead));
      pairs.push(isolationPair(runs.get(0), runs.get(blackHoled)));
      progress.say(`pair ${String(round)}: ${JSON.stringify(pairs.at(-1))}`);
    }
    process.stdout.write(`\n${renderIsolation({ healthy, blackHoled }, pairs)}\n`);
    if (values.json !== undefined) await writeFile(values.json, JSON.stringify(pairs, undefined, 2));
  } finally {
    await temporal.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
