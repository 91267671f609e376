import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { DownloadOptions } from '../../../adapters/releases/download-text.ts';
import { downloadText } from '../../../adapters/releases/download-text.ts';
import { isOperatorError } from '../../../domain/errors.ts';
import type { FileServer, Served } from '../../support/file-server.ts';
import { startFileServer } from '../../support/file-server.ts';

describe('downloadText', () => {
  let server: FileServer;
  beforeAll(async () => {
    server = await startFileServer();
  });
  afterAll(() => server.stop());

  const options: DownloadOptions = {
    mayFollow: (url) => url.pathname.startsWith('/allowed/'),
    adviceOnRedirect: 'ask somebody',
  };

  async function refusal(served: Served | undefined, more: Partial<DownloadOptions> = {}): Promise<string> {
    if (served === undefined) server.files.delete('/file');
    else server.files.set('/file', served);
    const found: unknown = await downloadText(`${server.address}/file`, { ...options, ...more }).catch(
      (error: unknown) => error,
    );
    if (!isOperatorError(found, 'ReleaseUnavailable')) throw new Error(`not refused: ${String(found)}`);
    expect(found.message).toContain(`${server.address}/file cannot be loaded: `);
    return found.message;
  }

  test('returns the text as it is', async () => {
    server.files.set('/file', 'kind: Ä\r\n');
    expect(await downloadText(`${server.address}/file`, options)).toBe('kind: Ä\r\n');
  });

  test('follows redirects that are allowed', async () => {
    server.files.set('/file', (_request, response) => {
      response.writeHead(302, { location: '/allowed/b' }).end();
    });
    server.files.set('/allowed/b', 'b');
    expect(await downloadText(`${server.address}/file`, options)).toBe('b');
  });

  test('refuses a redirect elsewhere without asking there, and says what to do', async () => {
    const message = await refusal((_request, response) => {
      response.writeHead(301, { location: '/elsewhere?token=secret' }).end();
    });
    expect(message).toContain(`${server.address}/elsewhere, which is not allowed; ask somebody`);
    expect(message).not.toContain('secret');
    expect(server.requested).not.toContain('/elsewhere?token=secret');
  });

  test('gives up on redirects without end', async () => {
    server.files.set('/allowed/loop', (_request, response) => {
      response.writeHead(302, { location: '/allowed/loop' }).end();
    });
    const found = downloadText(`${server.address}/allowed/loop`, options);
    await expect(found).rejects.toThrow('more than 5 redirects');
  });

  test('says what an answer that is no file means', async () => {
    expect(await refusal(undefined)).toContain('answered 404; there is no such file');
    expect(await refusal((_request, response) => void response.writeHead(403).end())).toContain(
      'without credentials',
    );
    expect(await refusal((_request, response) => void response.writeHead(500).end())).toContain(
      'answered 500',
    );
  });

  test('refuses a web page, an empty answer and one that is too large', async () => {
    const page: Served = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>');
    };
    expect(await refusal(page)).toContain('web page');
    expect(await refusal('')).toContain('empty');
    expect(await refusal('123456', { maxBytes: 5 })).toContain('larger than 5 bytes');
    server.files.set('/file', '12345');
    expect(await downloadText(`${server.address}/file`, { ...options, maxBytes: 5 })).toBe('12345');
  });

  test('notices an answer that was cut off', async () => {
    const message = await refusal((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('kind: Pod');
      setTimeout(() => response.destroy(), 20);
    });
    expect(message).toContain('cut off');
  });

  test('gives up on an answer that never ends', async () => {
    const message = await refusal((_request, response) => void response.writeHead(200).write('a'), {
      timeLimitMs: 150,
    });
    expect(message).toContain('took longer than 0.15 s');
  });

  test('names a server that does not answer', async () => {
    const gone = await startFileServer();
    await gone.stop();
    await expect(downloadText(`${gone.address}/file`, options)).rejects.toThrow('ECONNREFUSED');
  });
});
