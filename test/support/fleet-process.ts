import { startFleet } from '../../dev/control-plane/start-fleet.ts';

// Run as a process of its own by tests that kill it.
const fleet = await startFleet({ spokes: 0 });
process.stdout.write(`${fleet.hub.kubeconfigPath}\n`);
