import { z } from 'zod';

import { ContourOptions } from './contour.ts';
import { GatewayApiOptions } from './gateway-api.ts';
import { IstioOptions } from './istio.ts';
import { KourierOptions } from './kourier.ts';

/** The part of a KnativeServing spec that ingresses read. Absent: Istio. Present with nothing enabled: no ingress. */
export const IngressOptions = z
  .object({
    contour: ContourOptions.optional(),
    'gateway-api': GatewayApiOptions.optional(),
    istio: IstioOptions.optional(),
    kourier: KourierOptions.optional(),
  })
  .describe(
    'Ingresses to install. Istio when absent; none when nothing in it is enabled; several may be enabled.',
  );
export type IngressOptions = z.output<typeof IngressOptions>;
