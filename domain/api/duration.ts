import { z } from 'zod';

const parts = /([0-9]+(?:\.[0-9]+)?)(ms|h|m|s)/g;
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration as Go writes it, without fractions of a millisecond: `90s`, `6h`, `1h30m`; a day is `24h`. */
export const Duration = z
  .string()
  .max(32)
  .regex(/^([0-9]+(\.[0-9]+)?(ms|h|m|s))+$/, 'is not a duration such as 90s, 1h30m or 72h');
export type Duration = z.output<typeof Duration>;

/** Milliseconds of a valid {@link Duration}. */
export function durationMs(text: Duration): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(parts)) {
    total += Number(amount) * (milliseconds[unit ?? ''] ?? 0);
  }
  return total;
}
