import { z } from 'zod';

/** What a resource can say about Contour. */
export const ContourOptions = z
  .object({ enabled: z.boolean().optional().describe('Installs net-contour.') })
  .describe('Contour as ingress.');
export type ContourOptions = z.output<typeof ContourOptions>;
