import { z } from 'zod';

import type { Ingress } from './ingress.ts';

/** What a resource can say about Contour. */
export const ContourOptions = z
  .object({ enabled: z.boolean().optional().describe('Installs net-contour.') })
  .describe('Contour as ingress.');
export type ContourOptions = z.output<typeof ContourOptions>;

/** Needs a Contour that is already on the cluster. */
export const contour: Ingress = { bundle: 'contour', transforms: [] };
