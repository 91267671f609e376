import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A server that this process started; it ends with this process, however that ends. */
export interface ServerProcess {
  readonly pid: number;
  /** Asks it to end, kills it after the time limit, and waits until it is gone. Idempotent. */
  stop(timeoutMs?: number): Promise<void>;
  /** Ends it at once, without a chance to clean up. */
  kill(): Promise<void>;
  /** Freezes and thaws it: its sockets stay open and answer nothing. */
  pause(): void;
  resume(): void;
  readonly exited: Promise<number | null>;
}

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly logFile: string;
}

const guard = fileURLToPath(new URL('process-guard.sh', import.meta.url));

/**
 * Starts a server under a small guard that ends it when this process is gone, even after a SIGKILL: the guard reads a
 * pipe that only this process holds open.
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const log = createWriteStream(options.logFile, { flags: 'a' });
  const child = spawn('bash', [guard, options.command, ...options.args], {
    env: options.env ?? process.env,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  const pid = await serverPid(child);
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  return createServerProcess(pid, exited);
}

function createServerProcess(pid: number, exited: Promise<number | null>): ServerProcess {
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone.
    }
  };
  return {
    pid,
    exited,
    async stop(timeoutMs = 10_000) {
      send('SIGTERM');
      const timer = setTimeout(() => send('SIGKILL'), timeoutMs);
      await exited;
      clearTimeout(timer);
    },
    async kill() {
      send('SIGKILL');
      await exited;
    },
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
  };
}

function serverPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdio[3]?.once('data', (data: Buffer) => resolve(Number(data.toString().trim())));
    child.once('close', (code) => reject(new Error(`the server ended at once with ${String(code)}`)));
  });
}

/** The last lines of a server's log, for error messages. */
export async function logTail(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.split('\n').slice(-15).join('\n');
}
