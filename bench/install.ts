import { runBench } from './run-bench.ts';

// Only installs and removals: requests by verb, bytes and seconds, beside the floor.
await runBench(['--sections', 'installs', ...process.argv.slice(2)]);
