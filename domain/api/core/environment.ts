import { z } from 'zod';

import { atomicMap } from './label-selector.ts';
import { Quantity } from './quantity.ts';

const keyOf = (what: string) =>
  z
    .object({
      key: z.string(),
      name: z.string().default('').describe(`Name of the ${what}.`),
      optional: z.boolean().optional().describe('Whether the container starts when it is missing.'),
    })
    .meta(atomicMap)
    .optional();

const EnvVarSource = z
  .object({
    configMapKeyRef: keyOf('ConfigMap'),
    fieldRef: z
      .object({ apiVersion: z.string().optional(), fieldPath: z.string() })
      .optional()
      .meta(atomicMap),
    fileKeyRef: z
      .object({
        key: z.string(),
        optional: z.boolean().default(false),
        path: z.string().describe('Path inside the volume.'),
        volumeName: z.string(),
      })
      .optional()
      .meta(atomicMap),
    resourceFieldRef: z
      .object({ containerName: z.string().optional(), divisor: Quantity.optional(), resource: z.string() })
      .optional()
      .meta(atomicMap),
    secretKeyRef: keyOf('Secret'),
  })
  .describe('Where the value comes from when it is not given directly.');

/** An environment variable as in core/v1. */
export const EnvVar = z
  .object({
    name: z.string(),
    value: z.string().optional(),
    valueFrom: EnvVarSource.optional(),
  })
  .describe('An environment variable.');
export type EnvVar = z.output<typeof EnvVar>;
