import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder } from '../cache/cache-folder.ts';
import { startFleet } from '../control-plane/start-fleet.ts';
import { installClusterProfileCrd, registerSpoke, writeProviderFile } from '../operator/register-spoke.ts';
import { prepareHub } from '../operator/prepare-hub.ts';
import { startOperator } from '../operator/start-operator.ts';
import { startTemporal } from '../temporal/start-temporal.ts';
import { findReleases } from './find-releases.ts';
import { createProgress } from './progress.ts';
import { installBoth, removeBoth } from './scenario.ts';
import { printHints } from './print-hints.ts';
import { writeEnvironment } from './write-environment.ts';

/** Namespace of the ClusterProfiles on the hub of the demo. */
const inventoryNamespace = 'fleet';

async function main(): Promise<boolean> {
  const once = process.argv.includes('--once');
  const progress = createProgress();
  const folder = join(cacheFolder(), `demo-${String(process.pid)}`);
  await mkdir(folder, { recursive: true });
  const releases = await findReleases();
  progress.say(`releases: ${releases.root}`);
  progress.say('starting Temporal, a hub and two spokes (the first start builds the servers)');
  const temporal = await startTemporal({ ui: true });
  const fleet = await startFleet({ spokes: 2 });
  const stops: (() => Promise<void>)[] = [() => fleet.stop(), () => temporal.stop()];
  try {
    progress.say('registering the spokes with ClusterProfiles and a credential plugin');
    await prepareHub(fleet.hub);
    await installClusterProfileCrd(fleet.hub);
    for (const spoke of fleet.spokes)
      await registerSpoke({ hub: fleet.hub, spoke, namespace: inventoryNamespace });
    const providerFile = join(folder, 'access-providers.json');
    await writeProviderFile(providerFile);
    progress.say('starting worker and starter');
    const operator = await startOperator({
      folder,
      kubeconfigPath: fleet.hub.kubeconfigPath,
      temporal,
      providerFile,
      releases: releases.root,
      cache: join(cacheFolder(), 'releases'),
    });
    stops.unshift(() => operator.stop());
    const scene = { fleet, releases, inventoryNamespace, progress };
    await installBoth(scene);
    await writeEnvironment({ temporal, fleet, providerFile, releases: releases.root });
    printHints(temporal, operator);
    if (once) return await removeBoth(scene);
    progress.say('everything stays until you press Ctrl-C');
    await interrupted();
    return true;
  } finally {
    progress.say('stopping');
    for (const stop of stops) await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  (held) => {
    process.stdout.write(held ? '1 passed, 0 failed\n' : '0 passed, 1 failed\n');
    process.exitCode = held ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.stdout.write('0 passed, 1 failed\n');
    process.exitCode = 1;
  },
);
