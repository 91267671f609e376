import { z } from 'zod';

export interface StarterConfig {
  readonly kubeconfig: string | undefined;
  readonly hubId: string;
  readonly logLevel: string;
  /** How often open workflows are compared with the resources, milliseconds. */
  readonly sweepIntervalMs: number;
}

const text = z.string().min(1).optional();

const Environment = z.object({
  KUBECONFIG: text,
  HUB_ID: z.string().max(63).default(''),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  SWEEP_INTERVAL_SECONDS: z.coerce.number().int().min(1).max(600).default(30),
});

/** Reads the environment. Throws one Error that lists every problem. */
export function parseStarterConfig(environment: Readonly<Record<string, string | undefined>>): StarterConfig {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`the configuration has problems:\n${problems.join('\n')}`);
  }
  const env = parsed.data;
  return {
    kubeconfig: env.KUBECONFIG,
    hubId: env.HUB_ID,
    logLevel: env.LOG_LEVEL,
    sweepIntervalMs: env.SWEEP_INTERVAL_SECONDS * 1_000,
  };
}
