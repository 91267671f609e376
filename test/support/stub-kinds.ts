import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { ensureNamespace } from '../../dev/operator/prepare-hub.ts';

/** Kinds of other projects that plug-ins of Knative use and expect on a cluster. */
const stubs = [
  { group: 'networking.istio.io', kind: 'Gateway', plural: 'gateways', version: 'v1beta1' },
  {
    group: 'security.istio.io',
    kind: 'PeerAuthentication',
    plural: 'peerauthentications',
    version: 'v1beta1',
  },
  {
    group: 'projectcontour.io',
    kind: 'TLSCertificateDelegation',
    plural: 'tlscertificatedelegations',
    version: 'v1',
  },
  { group: 'cert-manager.io', kind: 'Certificate', plural: 'certificates', version: 'v1' },
] as const;

/** Gives a cluster the kinds of Istio, Contour and cert-manager, and Istio's namespace, without any software behind them. */
export async function installStubKinds(
  cluster: Pick<Cluster, 'kubectlPath' | 'kubeconfigPath'>,
): Promise<void> {
  await kubectl(
    cluster,
    ['apply', '-f', '-'],
    stubs.map((stub) => JSON.stringify(definition(stub))).join('\n---\n'),
  );
  const names = stubs.map(({ group, plural }) => `crd/${plural}.${group}`);
  await kubectl(cluster, ['wait', '--for=condition=Established', '--timeout=60s', ...names]);
  await ensureNamespace(cluster, 'istio-system');
}

function definition({ group, kind, plural, version }: (typeof stubs)[number]): object {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
