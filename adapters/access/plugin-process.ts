import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface PluginProcessOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a supervised process ended. `stderr` is its last part, at most 8 KiB, not redacted. */
export interface PluginProcessEnd {
  readonly because: 'exited' | 'timed-out' | 'printed-too-much' | 'aborted';
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const maxStdoutBytes = 1024 * 1024;
/** A text of this length may have lost its beginning. */
export const maxStderrBytes = 8 * 1024;
/** From SIGTERM to SIGKILL. */
const graceMs = 2_000;
/** A pipe that stays silent this long after the exit is held by a grandchild. */
const quietMs = 100;
/** The longest wait for a grandchild that keeps writing. */
const maxDrainMs = 1_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs a program without a shell and without input, in a process group of its own that is killed as a whole: on the time
 * limit, on too much output, on abort, and what is left of it after the exit. Resolves as soon as the program itself has
 * ended, even if a grandchild holds its pipes. Rejects only when it cannot be started.
 */
export function runPluginProcess(options: PluginProcessOptions): Promise<PluginProcessEnd> {
  return new Promise((resolve, reject) => {
    const child: Child = spawn(options.file, [...options.args], {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    child.once('error', reject);
    if (child.pid !== undefined) supervise(child, child.pid, options).then(resolve, reject);
  });
}

async function supervise(
  child: Child,
  pid: number,
  options: PluginProcessOptions,
): Promise<PluginProcessEnd> {
  let because: PluginProcessEnd['because'] = 'exited';
  let killTimer: NodeJS.Timeout | undefined;
  const end = (cause: PluginProcessEnd['because']): void => {
    if (because !== 'exited') return;
    because = cause;
    killGroup(pid, 'SIGTERM');
    killTimer = setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
  };
  const abort = (): void => end('aborted');
  const timer = setTimeout(() => end('timed-out'), options.timeoutMs);
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted === true) abort();

  const stdout = collect(child.stdout, {
    keepFirst: maxStdoutBytes,
    onOverflow: () => end('printed-too-much'),
  });
  const stderr = collect(child.stderr, { keepLast: maxStderrBytes });
  const { code, signal } = await exitOf(child);
  clearTimeout(timer);
  await drained([stdout, stderr]);
  clearTimeout(killTimer);
  options.signal?.removeEventListener('abort', abort);
  killGroup(pid, 'SIGKILL');
  child.stdout.destroy();
  child.stderr.destroy();
  return { because, code, signal, stdout: stdout.text(), stderr: stderr.text() };
}

function exitOf(child: Child): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

/** Nothing is left of the group in the ordinary case. */
function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // No such process.
  }
}

interface Collected {
  text(): string;
  readonly bytesSeen: number;
  readonly ended: boolean;
}

function collect(
  stream: Readable,
  limit: { keepFirst: number; onOverflow: () => void } | { keepLast: number },
): Collected {
  let kept: Buffer = Buffer.alloc(0);
  let bytesSeen = 0;
  let ended = false;
  stream.on('data', (chunk: Buffer) => {
    bytesSeen += chunk.length;
    if ('keepLast' in limit) kept = Buffer.concat([kept, chunk]).subarray(-limit.keepLast);
    else if (bytesSeen <= limit.keepFirst) kept = Buffer.concat([kept, chunk]);
    else limit.onOverflow();
  });
  stream.once('close', () => {
    ended = true;
  });
  stream.once('error', () => undefined);
  return {
    text: () => kept.toString('utf8'),
    get bytesSeen() {
      return bytesSeen;
    },
    get ended() {
      return ended;
    },
  };
}

/** Resolves when both streams ended or have been silent for a while; a timer that fires late has not proved silence. */
async function drained(streams: readonly Collected[]): Promise<void> {
  const deadline = performance.now() + maxDrainMs;
  const total = (): number => streams.reduce((sum, stream) => sum + stream.bytesSeen, 0);
  let seen = -1;
  let silentSince = performance.now();
  while (streams.some((stream) => !stream.ended) && performance.now() < deadline) {
    if (total() !== seen) {
      seen = total();
      silentSince = performance.now();
    }
    if (performance.now() - silentSince > quietMs) return;
    await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 5));
  }
}
