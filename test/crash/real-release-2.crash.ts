import { describeCrashes } from './describe-crashes.ts';
import { realCycle } from './real-cycle.ts';

await describeCrashes({ ...realCycle, name: 'a published release, part 2 of 2', share: [1, 2] });
