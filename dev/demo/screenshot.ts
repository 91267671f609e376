import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../processes/until.ts';

/** Pages that poll never fall silent; this is what one takes to show everything. */
const settleMs = 7_000;

/** Opens a page in headless Chromium and writes a picture of it: screenshot.ts URL FILE WIDTHxHEIGHT */
async function main([url = '', file = '', size = '1400x900']: readonly string[]): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'screenshot-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run'];
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const place = [`--window-size=${size.replace('x', ',')}`, `--user-data-dir=${profile}`];
  const browser = spawn(
    process.env['CHROMIUM'] ?? 'chromium',
    [...flags, ...quiet, ...place, '--remote-debugging-port=0', url],
    { stdio: 'ignore' },
  );
  const gone = new Promise((resolve) => browser.once('exit', resolve));
  try {
    const page = await until('Chromium shows the page', 30_000, () => pageAt(profile));
    await sleep(settleMs);
    await writeFile(file, await capture(page));
  } finally {
    browser.kill();
    await gone;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Address of the debugger of the only page. */
async function pageAt(profile: string): Promise<string> {
  const [port = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const targets = (await answer.json()) as { type: string; webSocketDebuggerUrl: string }[];
  const page = targets.find(({ type }) => type === 'page');
  if (page === undefined) throw new Error('there is no page yet');
  return page.webSocketDebuggerUrl;
}

async function capture(address: string): Promise<Buffer> {
  const socket = new WebSocket(address);
  try {
    const image = await new Promise<string>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error(`no connection to ${address}`)));
      socket.addEventListener('open', () =>
        socket.send(JSON.stringify({ id: 1, method: 'Page.captureScreenshot', params: { format: 'png' } })),
      );
      socket.addEventListener('message', ({ data }) => {
        const { id, result } = JSON.parse(String(data)) as { id?: number; result?: { data: string } };
        if (id === 1) resolve(result?.data ?? '');
      });
    });
    return Buffer.from(image, 'base64');
  } finally {
    socket.close();
  }
}

await main(process.argv.slice(2));
