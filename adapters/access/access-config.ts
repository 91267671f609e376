import { z } from 'zod';

import { describeIssue } from '../../domain/api/describe-issue.ts';
import { OperatorError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/manifests/object.ts';

/** API versions of ExecCredential that a plugin may speak. */
export const execCredentialVersions = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
] as const;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** NUL cannot be passed to a process. */
const argument = z.string().refine((value) => !value.includes('\0'), 'must not contain NUL');

const variable = z.object({
  name: argument.refine((name) => name !== '' && !name.includes('='), 'must not be empty or contain "="'),
  value: z
    .union([argument, z.null()])
    .default('')
    .transform((value) => value ?? ''),
});

const ExecConfig = z.object({
  command: argument.refine((command) => command !== '', 'must not be empty'),
  args: z
    .array(argument)
    .nullish()
    .transform((list) => list ?? []),
  env: z
    .array(variable)
    .nullish()
    .transform((list) => list ?? []),
  apiVersion: text.refine(isExecVersion, {
    error: (issue) => `exec plugin: invalid apiVersion ${JSON.stringify(issue.input)}`,
  }),
  provideClusterInfo: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  installHint: text,
  interactiveMode: text,
});
export type ExecConfig = z.output<typeof ExecConfig>;

const Provider = z.object({
  name: z.string().min(1, 'must not be empty'),
  execConfig: ExecConfig.nullish(),
  profileSourcedCLIArgsPolicy: policy('ProfileSourcedCLIArgsPolicy', ['Ignore', 'Append']),
  profileSourcedEnvVarsPolicy: policy('ProfileSourcedEnvVarsPolicy', [
    'Ignore',
    'AppendIfNotExists',
    'Replace',
  ]),
});
export type AccessProvider = z.output<typeof Provider>;

const AccessConfig = z.object({
  providers: z
    .array(Provider)
    .nullish()
    .transform((list) => list ?? []),
});

/** The provider file: how this process gets credentials, in order of preference. Never changed after parsing. */
export type AccessConfig = z.output<typeof AccessConfig>;

/**
 * Parses the provider file as the Go library's decoder does: keys in any case, null for nothing, unknown keys ignored.
 * Throws AccessProviderFailed that lists every problem at once (`details.problems`).
 */
export function parseAccessConfig(content: string): AccessConfig {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    throw invalid([`not JSON: ${(error as Error).message.replace(/, ".*$/s, '')}`]);
  }
  if (!isRecord(json)) throw invalid(['not a JSON object']);
  const result = AccessConfig.safeParse(withKnownKeys(json), { reportInput: true });
  if (!result.success) throw invalid(result.error.issues.map(describeIssue));
  return result.data;
}

function invalid(problems: readonly string[]): OperatorError {
  return new OperatorError('AccessProviderFailed', problems.join('; '), { details: { problems } });
}

function isExecVersion(version: string): boolean {
  return (execCredentialVersions as readonly string[]).includes(version);
}

function policy<const P extends string>(field: string, values: readonly ['Ignore', ...P[]]) {
  const known: readonly string[] = values;
  return z
    .string()
    .nullish()
    .transform((value) => (value === null || value === undefined || value === '' ? 'Ignore' : value))
    .refine((value): value is P | 'Ignore' => known.includes(value), {
      error: (issue) => `unsupported ${field}: ${JSON.stringify(issue.input)}; known are ${known.join(', ')}`,
    });
}

const keys =
  'providers name execConfig profileSourcedCLIArgsPolicy profileSourcedEnvVarsPolicy ' +
  'command args env value apiVersion provideClusterInfo installHint interactiveMode';
const knownKeys = new Map(keys.split(' ').map((key) => [key.toLowerCase(), key]));

/** Go's decoder matches keys without regard to case. */
function withKnownKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKnownKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    knownKeys.get(key.toLowerCase()) ?? key,
    withKnownKeys(inner),
  ]);
  return Object.fromEntries(entries) as unknown;
}
