import { z } from 'zod';

import type { Ingress } from './ingress.ts';

/** What a resource can say about the Gateway API ingress. */
export const GatewayApiOptions = z
  .object({ enabled: z.boolean().optional().describe('Installs net-gateway-api.') })
  .describe('An implementation of the Gateway API as ingress.');
export type GatewayApiOptions = z.output<typeof GatewayApiOptions>;

/** Needs an implementation of the Gateway API, and its CRDs, that are already on the cluster. */
export const gatewayApi: Ingress = { bundle: 'gateway-api', transforms: [] };
