import type { Fleet } from '../control-plane/start-fleet.ts';
import type { TemporalServer } from '../temporal/start-temporal.ts';

/** Tells a person where everything is and what to try next. */
export function printHints(parts: {
  temporal: TemporalServer;
  fleet: Fleet;
  logs: { worker: string; starter: string };
}): void {
  const { temporal, fleet, logs } = parts;
  const lines = [
    `Temporal UI   ${temporal.uiAddress ?? ''}/namespaces/${temporal.namespace}/workflows`,
    `kubectl       ${fleet.hub.kubectlPath}`,
    ...[fleet.hub, ...fleet.spokes].map(
      (cluster) => `${cluster.name.padEnd(13)} export KUBECONFIG=${cluster.kubeconfigPath}`,
    ),
    `logs          ${logs.worker} ${logs.starter}`,
    '',
    'Try: kubectl get knativeservings -A -o wide; change spec.version of a resource; delete a Deployment on a spoke',
    'and set annotation reconcile.knative.dev/trigger; delete a resource and watch its workflow finish.',
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
