import type { Fleet } from '../control-plane/start-fleet.ts';
import type { Operator } from '../operator/start-operator.ts';
import type { TemporalServer } from '../temporal/start-temporal.ts';

/** Tells a person where everything is and what to try next. */
export function printHints(parts: {
  temporal: TemporalServer;
  fleet: Fleet;
  operator: Pick<Operator, 'logs' | 'operations'>;
}): void {
  const { temporal, fleet } = parts;
  const { logs, operations } = parts.operator;
  const lines = [
    `Temporal UI   ${temporal.uiAddress ?? ''}/namespaces/${temporal.namespace}/workflows`,
    `kubectl       ${fleet.hub.kubectlPath}`,
    ...[fleet.hub, ...fleet.spokes].map(
      (cluster) => `${cluster.name.padEnd(13)} export KUBECONFIG=${cluster.kubeconfigPath}`,
    ),
    `logs          ${logs.worker} ${logs.starter}`,
    `metrics       http://${operations.worker}/metrics http://${operations.starter}/metrics`,
    '',
    'Try: kubectl get knativeservings -A -o wide; change spec.version of a resource; delete a Deployment on a spoke',
    'and set annotation reconcile.knative.dev/trigger; delete a resource and watch its workflow finish.',
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
