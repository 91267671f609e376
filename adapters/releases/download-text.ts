import { request } from 'undici';

import { messageOf, OperatorError } from '../../domain/errors.ts';

export interface DownloadOptions {
  /** Whether the download may go on at the address that a redirect names; the first address is the caller's to judge. */
  readonly mayFollow: (url: URL) => boolean;
  /** What to do about a redirect that may not be followed, for people. */
  readonly adviceOnRedirect: string;
  readonly maxBytes?: number;
  readonly timeLimitMs?: number;
}

const defaultMaxBytes = 16 * 1024 * 1024;
const defaultTimeLimitMs = 60_000;
const maxRedirects = 5;

/**
 * The text behind a URL. Throws ReleaseUnavailable naming the URL when it cannot be had: refused, too slow, too large,
 * cut off, redirected elsewhere, or a web page in place of a file.
 */
export async function downloadText(url: string, options: DownloadOptions): Promise<string> {
  const timeLimitMs = options.timeLimitMs ?? defaultTimeLimitMs;
  const signal = AbortSignal.timeout(timeLimitMs);
  try {
    return await follow(new URL(url), options, signal);
  } catch (error) {
    const why = signal.aborted ? `took longer than ${String(timeLimitMs / 1000)} s` : reasonOf(error);
    throw new OperatorError('ReleaseUnavailable', `${url} cannot be loaded: ${why}`, { cause: error });
  }
}

async function follow(first: URL, options: DownloadOptions, signal: AbortSignal): Promise<string> {
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const { statusCode, headers, body } = await request(url, { signal, headers: { accept: '*/*' } });
    const location = headers['location'];
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      url = nextUrl(url, location, options);
      continue;
    }
    if (statusCode !== 200) {
      await body.dump();
      throw new Error(`${url.host} answered ${String(statusCode)}${adviceOn(statusCode)}`);
    }
    if (/^text\/html\b/i.test(String(headers['content-type'] ?? ''))) {
      await body.dump();
      throw new Error('it is a web page, not a manifest; check that the URL names the file itself');
    }
    return readBounded(body, options.maxBytes ?? defaultMaxBytes);
  }
  throw new Error(`there were more than ${String(maxRedirects)} redirects`);
}

function nextUrl(from: URL, location: string, options: DownloadOptions): URL {
  const next = new URL(location, from);
  if (options.mayFollow(next)) return next;
  throw new Error(
    `it redirects to ${next.origin}${next.pathname}, which is not allowed; ${options.adviceOnRedirect}`,
  );
}

function adviceOn(status: number): string {
  if (status === 404) return '; there is no such file, so check version and file name';
  return status === 401 || status === 403 ? '; it must be readable without credentials' : '';
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it is larger than ${String(maxBytes)} bytes`);
    chunks.push(chunk);
  }
  if (size === 0) throw new Error('the answer is empty');
  return Buffer.concat(chunks).toString('utf8');
}

/** A failed connection keeps its reason in the cause; a cut body is reported as a socket that ended. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  if (message === 'terminated' || message === 'other side closed') return 'the answer was cut off';
  const cause = error instanceof Error ? error.cause : undefined;
  return message === '' || message === 'fetch failed' ? messageOf(cause ?? error) : message;
}
