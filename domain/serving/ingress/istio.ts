import { z } from 'zod';

import { OperatorError } from '../../errors.ts';
import { setAt } from '../../manifests/edit.ts';
import type { JsonRecord, ManifestObject } from '../../manifests/object.ts';
import type { ServingContext, Transform } from '../../manifests/transform.ts';
import type { Ingress } from './ingress.ts';

const strings = z.array(z.string()).optional();
const protocolVersion = z.int32().optional();

const IstioServer = z
  .object({
    port: z
      .object({
        number: z.int32().optional().describe('Port that the gateway listens on.'),
        protocol: z.string().optional().describe('Such as HTTP, HTTPS or TLS.'),
        name: z.string().optional(),
        target_port: z.int32().optional().describe('Port of the gateway pods.'),
      })
      .optional(),
    bind: z.string().optional().describe('Address or socket that the listener is bound to.'),
    hosts: strings.describe('Hosts that the gateway exposes.'),
    tls: z
      .object({
        httpsRedirect: z.boolean().optional().describe('Answers plain HTTP with a redirect to HTTPS.'),
        mode: z
          .enum(['PASSTHROUGH', 'SIMPLE', 'MUTUAL', 'AUTO_PASSTHROUGH', 'ISTIO_MUTUAL'])
          .optional()
          .describe('How TLS is ended; PASSTHROUGH when absent.'),
        serverCertificate: z.string().optional().describe('Path of the server certificate.'),
        privateKey: z.string().optional().describe('Path of the private key.'),
        caCertificates: z
          .string()
          .optional()
          .describe('Path of the CA certificates for client certificates.'),
        credentialName: z.string().optional().describe('Secret with certificate and key.'),
        subjectAltNames: strings.describe('Names that a client certificate may carry.'),
        verifyCertificateSpki: strings.describe('Accepted hashes of client public keys.'),
        verifyCertificateHash: strings.describe('Accepted hashes of client certificates.'),
        minProtocolVersion: protocolVersion.describe(
          '0 automatic, 1 TLS 1.0, 2 TLS 1.1, 3 TLS 1.2, 4 TLS 1.3.',
        ),
        maxProtocolVersion: protocolVersion.describe(
          '0 automatic, 1 TLS 1.0, 2 TLS 1.1, 3 TLS 1.2, 4 TLS 1.3.',
        ),
        cipherSuites: strings.describe('Accepted cipher suites.'),
      })
      .optional(),
    defaultEndpoint: z.string().optional().describe('Where traffic goes that no route takes.'),
    name: z.string().optional(),
  })
  .describe('One listener of a gateway.');
type IstioServer = z.output<typeof IstioServer>;

/** Overrides for one Istio Gateway. */
export const IstioGateway = z.object({
  selector: z
    .record(z.string(), z.string())
    .optional()
    .describe('Labels of the pods that act as the gateway.'),
  servers: z.array(IstioServer).optional(),
});
export type IstioGateway = z.output<typeof IstioGateway>;

/** What a resource can say about Istio. */
export const IstioOptions = z
  .object({
    enabled: z.boolean().optional().describe('Installs net-istio.'),
    'knative-ingress-gateway': IstioGateway.optional().describe('The gateway for traffic from outside.'),
    'knative-local-gateway': IstioGateway.optional().describe('The gateway for traffic inside the cluster.'),
  })
  .describe('Istio as ingress.');
export type IstioOptions = z.output<typeof IstioOptions>;

/** The overrides of a spec for the Gateway or Service of a name. */
export function gatewayOverride(options: IstioOptions | undefined, name: string): IstioGateway | undefined {
  switch (name) {
    case 'knative-ingress-gateway':
      return options?.['knative-ingress-gateway'];
    case 'knative-local-gateway':
    case 'cluster-local-gateway':
      return options?.['knative-local-gateway'];
    default:
      return undefined;
  }
}

/** Replaces the whole selector and the whole list of servers of Istio's gateways, each when given and not empty. */
const gateways: Transform<ServingContext> = (object, { spec }) => {
  if (object.kind !== 'Gateway' || !object.apiVersion.startsWith('networking.istio.io/')) return object;
  const name = object.metadata.name ?? '';
  const { selector = {}, servers = [] } = gatewayOverride(spec.ingress?.istio, name) ?? {};
  const selected = Object.keys(selector).length > 0 ? setAt(object, ['spec', 'selector'], selector) : object;
  return servers.length > 0 ? withServers(selected, name, servers) : selected;
};

function withServers(object: ManifestObject, name: string, servers: readonly IstioServer[]): ManifestObject {
  return setAt(
    object,
    ['spec', 'servers'],
    servers.map((server) => serverOf(server, name)),
  );
}

/** Istio's own form of a server: without empty fields, since it reads a zero value as absent. */
function serverOf({ port, tls, ...rest }: IstioServer, gateway: string): JsonRecord {
  return {
    ...withoutZeroValues(rest),
    ...(port !== undefined && { port: portOf(port) }),
    ...(tls !== undefined && { tls: tlsOf(tls, gateway) }),
  };
}

function portOf({ target_port: targetPort, ...port }: NonNullable<IstioServer['port']>): JsonRecord {
  return withoutZeroValues({ ...port, targetPort });
}

const tlsModes: ReadonlySet<string> = new Set([
  'PASSTHROUGH',
  'SIMPLE',
  'MUTUAL',
  'AUTO_PASSTHROUGH',
  'ISTIO_MUTUAL',
]);

/** Istio's protocol versions by their number; the first one, automatic, is its zero value. */
const protocolVersions = ['', 'TLSV1_0', 'TLSV1_1', 'TLSV1_2', 'TLSV1_3'] as const;

function tlsOf(tls: NonNullable<IstioServer['tls']>, gateway: string): JsonRecord {
  const mode: string = tls.mode ?? '';
  if (mode !== '' && !tlsModes.has(mode)) {
    throw new OperatorError(
      'SpecInvalid',
      `failed to convert servers override for gateway "${gateway}": unknown TLS mode "${mode}": must be one of ${[...tlsModes].join(', ')}`,
    );
  }
  return withoutZeroValues({
    ...tls,
    mode: mode === 'PASSTHROUGH' ? '' : mode,
    minProtocolVersion: protocolVersionName(tls.minProtocolVersion),
    maxProtocolVersion: protocolVersionName(tls.maxProtocolVersion),
  });
}

/** A number that Istio does not know is sent as it is, for Istio to refuse. */
function protocolVersionName(version: number | undefined): string | number | undefined {
  return version === undefined ? undefined : (protocolVersions[version] ?? version);
}

function withoutZeroValues(fields: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isZero(value)));
}

function isZero(value: unknown): boolean {
  const emptyList = Array.isArray(value) && value.length === 0;
  return emptyList || value === undefined || value === '' || value === 0 || value === false;
}

export const istio: Ingress = { bundle: 'istio', byDefault: true, transforms: [gateways] };
