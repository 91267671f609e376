import { z } from 'zod';

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
export type IstioServer = z.output<typeof IstioServer>;

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
