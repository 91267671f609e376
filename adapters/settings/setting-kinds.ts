import { z } from 'zod';

import { Duration, durationMs } from '../../domain/api/duration.ts';

/** Schemas of the texts that settings are made of. */
export const settingKinds = {
  text: z.string().min(1),
  list: z.string().transform((text) => text.split(',').filter((entry) => entry !== '')),
  switch: z
    .string()
    .regex(/^(true|false)$/, 'must be true or false')
    .transform((text) => text === 'true'),
  count: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number below a million')
    .transform(Number),
  /** Milliseconds. */
  duration: Duration.transform(durationMs),
  /** `off` is undefined. */
  bindAddress: z.string().transform((text, context): BindAddress | undefined => {
    if (text === 'off') return undefined;
    const address = bindAddressOf(text);
    if (address === undefined) context.addIssue('must be host:port, such as 127.0.0.1:9464, or off');
    return address;
  }),
} as const;

/** Where a process listens. */
export interface BindAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

function bindAddressOf(text: string): BindAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}
