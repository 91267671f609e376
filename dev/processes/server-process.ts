import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { tellReaper } from './reaper.ts';

/** A server that this process started; it ends with this process, however that ends. */
export interface ServerProcess {
  readonly pid: number;
  /** Asks it to end, kills it after the time limit, and waits until it is gone. Idempotent. */
  stop(timeoutMs?: number): Promise<void>;
  /** Ends it at once, without a chance to clean up, and waits until it is gone. */
  kill(): Promise<void>;
  /** Freezes and thaws it: its sockets stay open and answer nothing. */
  pause(): void;
  resume(): void;
  /** Aborted once it is gone, with the end of its log as the reason. */
  readonly gone: AbortSignal;
}

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of PATH and HOME; nothing else is inherited, so that no proxy setting reaches a server. */
  readonly env?: NodeJS.ProcessEnv;
  /** Receives both output streams; kept across restarts. */
  readonly logFile: string;
}

// The server starts only after the reaper knows its process id: a parent that dies in between leaves nothing.
const launcher = 'read -r go && exec "$@" </dev/null';

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const log = await open(options.logFile, 'a');
  try {
    const child = spawn('sh', ['-c', launcher, 'sh', options.command, ...options.args], {
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: dirname(options.logFile), ...options.env },
      stdio: ['pipe', log.fd, log.fd],
      detached: true,
    });
    const exited = once(child, 'exit');
    await once(child, 'spawn');
    const pid = child.pid;
    if (pid === undefined || child.stdin === null) throw new Error(`${options.command} did not start`);
    await tellReaper('start', pid);
    child.stdin.on('error', () => undefined).end('go\n');
    return createServerProcess(pid, exited, options);
  } finally {
    await log.close();
  }
}

function createServerProcess(
  pid: number,
  exited: Promise<unknown[]>,
  options: ServerProcessOptions,
): ServerProcess {
  const gone = new AbortController();
  const ended = exited.then(async ([code, signal]) => {
    await tellReaper('ended', pid).catch(() => undefined);
    const tail = await logTail(options.logFile);
    gone.abort(
      new Error(`${options.command} ended with ${String(code ?? signal)}; its log ends with:\n${tail}`),
    );
  });
  const send = (signal: NodeJS.Signals): void => {
    if (gone.signal.aborted) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Gone a moment ago.
    }
  };
  return {
    pid,
    gone: gone.signal,
    async stop(timeoutMs = 5_000) {
      send('SIGTERM');
      send('SIGCONT');
      const timer = setTimeout(() => send('SIGKILL'), timeoutMs);
      await ended;
      clearTimeout(timer);
    },
    async kill() {
      send('SIGKILL');
      await ended;
    },
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
  };
}

async function logTail(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.split('\n').slice(-15).join('\n');
}
