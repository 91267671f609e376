import { spawn } from 'node:child_process';

const keptOutput = 4_000;

/** Runs a command to its end and returns its standard output. Rejects with the tail of its output on a failure. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let tail = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-keptOutput);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(stdout);
      const output = tail === '' ? stdout.slice(-keptOutput) : tail;
      reject(
        new Error(`${command} ${args.join(' ')} ended with ${String(code ?? signal)}: ${output.trim()}`),
      );
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}
