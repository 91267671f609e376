import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const scene = fileURLToPath(new URL('half-open-scene.ts', import.meta.url));

/** Promised to operators; longer than keep-alive probes, HTTP/2 pings and the limit of a request take. */
const promisedSeconds = 20;

describe.skipIf(!mayDropPackets())('a peer that vanished without a word', () => {
  test.concurrent.each([
    ['watch', 'http/1.1', /ETIMEDOUT/],
    ['watch', 'h2', /unresponsive/],
    ['request', 'http/1.1', /timeout|ETIMEDOUT/i],
    ['request', 'h2', /timeout|ping/i],
  ] as const)(
    'is noticed by a %s over %s in the time that is promised, and the next request connects anew',
    async (what, protocol, notice) => {
      const arguments_ = ['--disable-warning=ExperimentalWarning', scene, what, protocol];
      const { stdout } = await run('unshare', ['-Urn', process.execPath, ...arguments_]);
      const seen = JSON.parse(stdout) as { notice: string; seconds: number; again: string };
      expect(seen.notice).toMatch(notice);
      expect(seen.seconds).toBeLessThan(promisedSeconds);
      expect(seen.again).toBe('one');
    },
  );
});

/** Needs user namespaces, ip and iptables. */
function mayDropPackets(): boolean {
  try {
    execFileSync('unshare', ['-Urn', 'sh', '-c', 'ip link set lo up && iptables -L OUTPUT -n'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
