import { z } from 'zod';

/** What a resource can say about the Gateway API ingress. */
export const GatewayApiOptions = z
  .object({ enabled: z.boolean().optional().describe('Installs net-gateway-api.') })
  .describe('An implementation of the Gateway API as ingress.');
export type GatewayApiOptions = z.output<typeof GatewayApiOptions>;
