import { sampleCycle } from './sample-cycle.ts';
import { describeCrashes } from './describe-crashes.ts';

await describeCrashes({ ...sampleCycle, name: 'the sample release, part 2 of 2', share: [1, 2] });
