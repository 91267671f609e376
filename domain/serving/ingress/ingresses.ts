import { z } from 'zod';

import { contour, ContourOptions } from './contour.ts';
import { gatewayApi, GatewayApiOptions } from './gateway-api.ts';
import type { Ingress } from './ingress.ts';
import { istio, IstioOptions } from './istio.ts';
import { kourier, KourierOptions } from './kourier.ts';

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

/** All ingresses by their key in the spec, in the order that `status.manifests` names them. */
const ingresses: Readonly<Record<keyof IngressOptions, Ingress>> = {
  istio,
  contour,
  kourier,
  'gateway-api': gatewayApi,
};

export const ingressKeys = Object.keys(ingresses) as readonly (keyof IngressOptions)[];

/** The ingresses that a spec selects. */
export function selectedIngresses(options: IngressOptions | undefined): readonly Ingress[] {
  return Object.entries(ingresses)
    .filter(([key, ingress]) => isSelected(options, key as keyof IngressOptions, ingress))
    .map(([, ingress]) => ingress);
}

function isSelected(
  options: IngressOptions | undefined,
  key: keyof IngressOptions,
  ingress: Ingress,
): boolean {
  return options === undefined ? ingress.byDefault === true : options[key]?.enabled === true;
}
