import { testReleases } from '../support/operator-fleet.ts';
import { describeCrashes } from './describe-crashes.ts';

/** Published releases of Serving with Kourier, where they are at hand. */
await describeCrashes({
  releases: testReleases.root,
  versions: ['1.21.0', testReleases.serving],
  name: 'a published release',
  sample: { count: 60, seed: 20_261_130 },
  lanes: 1,
});
