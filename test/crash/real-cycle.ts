import { testReleases } from '../support/operator-fleet.ts';
import type { CrashSuite } from './describe-crashes.ts';

/** Published releases of Serving with Kourier, where they are at hand; a sample of the points. */
export const realCycle: Omit<CrashSuite, 'name' | 'share'> = {
  releases: testReleases.root,
  versions: ['1.21.0', testReleases.serving],
  sample: { count: 60, seed: 20_261_130 },
};
