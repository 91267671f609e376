import { isOperatorError, messageOf, OperatorError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/manifests/object.ts';
import { parseExecCredential } from './exec-credential.ts';
import type { PluginCredential } from './exec-credential.ts';
import { pluginEnvironment } from './plugin-environment.ts';
import { findExecutable } from './plugin-executable.ts';
import { maxStderrBytes, runPluginProcess } from './plugin-process.ts';
import type { PluginProcessEnd } from './plugin-process.ts';
import type { PluginCall } from './profile-access.ts';
import { redact, secretValues } from './redaction.ts';

export interface ExecPluginOptions {
  /** Default 30 s. */
  readonly timeoutMs?: number;
  /** Where the few inherited variables come from; default the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 30_000;
const maxQuote = 600;

/**
 * Runs a credential plugin once, to its end or its time limit. Rejects with AccessProviderFailed in words for an
 * operator (RemoteClientCreationFailed when only its certificate is unusable); no message holds a credential.
 */
export async function runExecPlugin(
  call: PluginCall,
  options: ExecPluginOptions = {},
): Promise<PluginCredential> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const env = pluginEnvironment(options.environment ?? process.env, call);
  let end: PluginProcessEnd | undefined;
  try {
    const file = await findExecutable(call.command, env['PATH'] ?? '');
    end = await runPluginProcess({ file, args: call.args, env, timeoutMs, signal: options.signal });
    requireSuccess(call, end, timeoutMs);
    return parseExecCredential(end.stdout, call.apiVersion, Date.now());
  } catch (error) {
    throw pluginFailure(call, error, end);
  }
}

function requireSuccess(call: PluginCall, end: PluginProcessEnd, timeoutMs: number): void {
  const subject = `exec: executable ${call.command}`;
  switch (end.because) {
    case 'timed-out':
      throw new Error(`${subject} did not finish within ${String(timeoutMs / 1000)} s and was killed`);
    case 'printed-too-much':
      throw new Error(`${subject} printed more than 1 MiB and was killed`);
    case 'aborted':
      throw new Error(`${subject} was ended because this process shuts down`);
    case 'exited':
      break;
  }
  if (end.signal !== null) throw new Error(`${subject} was killed by ${end.signal}`);
  if (end.code !== 0) throw new Error(`${subject} failed with exit code ${String(end.code)}`);
}

function pluginFailure(call: PluginCall, error: unknown, end: PluginProcessEnd | undefined): OperatorError {
  const kind = isOperatorError(error) ? error.kind : 'AccessProviderFailed';
  const secrets = [...secretValues(call.env), ...secretsIn(end?.stdout ?? '')];
  const what = explain(call, error);
  const said = end === undefined ? '' : quoteTail(end.stderr, secrets);
  const missing = what.endsWith(' not found');
  const hint = missing
    ? '; mount the plugin into the container, or correct "command" in the provider file'
    : '';
  const install = missing && call.installHint !== '' ? `; ${call.installHint}` : '';
  return new OperatorError(kind, `getting credentials: ${redact(what, secrets)}${hint}${install}${said}`);
}

/** Failures of the start itself come as bare system codes. */
function explain(call: PluginCall, error: unknown): string {
  const subject = `exec: executable ${call.command}`;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return `${subject} cannot be started: the interpreter in its #! line, or its loader, does not exist in this image`;
    case 'EACCES':
      return `${subject} cannot be started: permission denied; its mount may be noexec`;
    case 'E2BIG':
      return `${subject} cannot be started: its arguments and environment are too large`;
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return `${subject} cannot be started: this system is short of processes, files or memory (${code})`;
    default:
      return messageOf(error);
  }
}

/** The last lines that it wrote to standard error, on one line; a first line that may be cut is left out. */
function quoteTail(stderr: string, secrets: readonly string[]): string {
  const lines = redact(withoutCutLine(stderr), secrets)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  const text = lines.join(' | ');
  if (text.length <= maxQuote) return `; it wrote: ${text}`;
  const tail = text.slice(-maxQuote);
  return `; it wrote: …${tail.slice(tail.indexOf(' ') + 1)}`;
}

function withoutCutLine(stderr: string): string {
  if (Buffer.byteLength(stderr) < maxStderrBytes) return stderr;
  const newline = stderr.indexOf('\n');
  return newline < 0 ? '' : stderr.slice(newline + 1);
}

/** Credentials in an answer that was refused; the plugin may have logged them as well. */
function secretsIn(stdout: string): readonly string[] {
  try {
    const answer: unknown = JSON.parse(stdout);
    const status = isRecord(answer) ? answer['status'] : undefined;
    return Object.entries(isRecord(status) ? status : {}).flatMap(([field, value]) =>
      // People need the time to see why a credential was refused.
      field !== 'expirationTimestamp' && typeof value === 'string' ? [value] : [],
    );
  } catch {
    return [];
  }
}
