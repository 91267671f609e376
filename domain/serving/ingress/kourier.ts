import { z } from 'zod';

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
