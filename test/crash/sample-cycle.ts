import { fileURLToPath } from 'node:url';

import type { CrashLaneOptions } from './crash-lane.ts';

/** A small release with one object of each class that is treated specially. */
export const sampleCycle: CrashLaneOptions = {
  releases: fileURLToPath(new URL('../../releases/sample', import.meta.url)),
  versions: ['1.21.0', '1.22.1'],
};
