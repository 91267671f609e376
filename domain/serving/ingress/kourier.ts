import { z } from 'zod';

import { OperatorError } from '../../errors.ts';
import { mapListAt, setAt } from '../../manifests/edit.ts';
import type { ManifestObject } from '../../manifests/object.ts';
import { recordAt, stringAt } from '../../manifests/object.ts';
import { mapContainers, podSpecPath } from '../../manifests/pod-template.ts';
import type { ServingContext, Transform } from '../../manifests/transform.ts';
import type { Ingress } from './ingress.ts';

/** What a resource can say about Kourier. */
export const KourierOptions = z
  .object({
    enabled: z.boolean().optional().describe('Installs Kourier.'),
    'service-type': z.string().optional().describe('Type of Service kourier, such as ClusterIP or NodePort.'),
    'service-load-balancer-ip': z
      .string()
      .optional()
      .describe('Address that Service kourier asks its load balancer for.'),
    'http-port': z.int32().optional().describe('Node port for HTTP; used when service-type is NodePort.'),
    'https-port': z.int32().optional().describe('Node port for HTTPS; used when service-type is NodePort.'),
    'bootstrap-configmap': z
      .string()
      .optional()
      .describe('ConfigMap with the Envoy bootstrap that the gateway uses in place of its own.'),
  })
  .describe('Kourier as ingress.');
export type KourierOptions = z.output<typeof KourierOptions>;

const controllers: ReadonlySet<string> = new Set(['3scale-kourier-control', 'net-kourier-controller']);
const bootstrap = { configMap: 'kourier-bootstrap', key: 'envoy-bootstrap.yaml' } as const;

/** Tells the controllers where the gateway runs: in their own namespace, not in `kourier-system`. */
const gatewayNamespace: Transform<ServingContext> = (object) => {
  const { name = '', namespace = '' } = object.metadata;
  if (object.kind !== 'Deployment' || !controllers.has(name)) return object;
  return mapContainers(object, (container) =>
    mapListAt(container, ['env'], (variable) =>
      stringAt(variable, 'name') === 'KOURIER_GATEWAY_NAMESPACE'
        ? { name: 'KOURIER_GATEWAY_NAMESPACE', value: namespace }
        : variable,
    ),
  );
};

/** Makes the gateway look for its controller in the install namespace. */
const bootstrapNamespace: Transform<ServingContext> = (object) => {
  const { name, namespace = '' } = object.metadata;
  const text = stringAt(object, 'data', bootstrap.key);
  if (object.kind !== 'ConfigMap' || name !== bootstrap.configMap || text === undefined) return object;
  return setAt(
    object,
    ['data', bootstrap.key],
    text.replaceAll('knative-serving', () => namespace),
  );
};

const gatewayService: Transform<ServingContext> = (object, { spec }) => {
  if (object.kind !== 'Service' || object.metadata.name !== 'kourier') return object;
  const options = spec.ingress?.kourier ?? {};
  return withNodePorts(withLoadBalancerIp(withServiceType(object, options), options), options);
};

function withServiceType(service: ManifestObject, options: KourierOptions): ManifestObject {
  const type = options['service-type'] ?? '';
  switch (type) {
    case '':
      return service;
    case 'ClusterIP':
    case 'LoadBalancer':
    case 'NodePort':
      return setAt(service, ['spec', 'type'], type);
    case 'ExternalName':
      throw new OperatorError('SpecInvalid', `unsupported service type "${type}"`);
    default:
      throw new OperatorError('SpecInvalid', `unknown service type "${type}"`);
  }
}

function withLoadBalancerIp(service: ManifestObject, options: KourierOptions): ManifestObject {
  const address = options['service-load-balancer-ip'] ?? '';
  if (address === '') return service;
  requireType(service, 'LoadBalancer', 'LoadBalancerIP');
  return setAt(service, ['spec', 'loadBalancerIP'], address);
}

/** The HTTP port goes to every port that is not called `https`. */
function withNodePorts(service: ManifestObject, options: KourierOptions): ManifestObject {
  const http = options['http-port'] ?? 0;
  const https = options['https-port'] ?? 0;
  if (http <= 0 && https <= 0) return service;
  requireType(service, 'NodePort', 'HTTP(S)Port');
  return mapListAt(service, ['spec', 'ports'], (port) => {
    const nodePort = stringAt(port, 'name') === 'https' ? https : http;
    return nodePort > 0 ? { ...recordAt(port), nodePort } : port;
  });
}

function requireType(service: ManifestObject, needed: string, what: string): void {
  const type = stringAt(service, 'spec', 'type') ?? '';
  if (type === needed) return;
  throw new OperatorError('SpecInvalid', `cannot configure ${what} for service type "${type}"`);
}

/** Mounts another bootstrap ConfigMap in the gateway; other kinds of volumes stay. */
const gatewayBootstrap: Transform<ServingContext> = (object, { spec }) => {
  const name = spec.ingress?.kourier?.['bootstrap-configmap'] ?? '';
  if (name === '' || object.kind !== 'Deployment' || object.metadata.name !== '3scale-kourier-gateway') {
    return object;
  }
  return mapListAt(object, [...podSpecPath, 'volumes'], (volume) =>
    stringAt(volume, 'configMap', 'name') === bootstrap.configMap
      ? { ...recordAt(volume), configMap: { name } }
      : volume,
  );
};

export const kourier: Ingress = {
  bundle: 'kourier',
  transforms: [gatewayNamespace, bootstrapNamespace, gatewayService, gatewayBootstrap],
};
