import { describeCrashes } from './describe-crashes.ts';
import { sampleCycle } from './sample-cycle.ts';

await describeCrashes({ ...sampleCycle, name: 'the sample release', lanes: 2 });
