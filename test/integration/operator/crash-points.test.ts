import { describeCrashes } from '../../crash/describe-crashes.ts';
import { sampleCycle } from '../../crash/sample-cycle.ts';

await describeCrashes({
  ...sampleCycle,
  name: 'the sample release, a few points',
  sample: { count: 9, seed: 20_261_130 },
  lanes: 1,
});
