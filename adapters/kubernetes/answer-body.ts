import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import type { Dispatcher } from 'undici';

const maxBodyBytes = 256 * 1024 * 1024;

const decompress = promisify(gunzip);

/** Reads an answer to its end, decompressed. Throws when it is larger than 256 MiB or breaks off. */
export async function readBody(
  response: Dispatcher.ResponseData,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error(`the answer is larger than ${String(maxBodyBytes)} bytes`);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  const isCompressed = response.headers['content-encoding'] === 'gzip' && bytes > 0;
  const plain = isCompressed ? await decompress(whole, { maxOutputLength: maxBodyBytes }) : whole;
  return { text: plain.toString('utf8'), bytes };
}

/** An error answer may be plain text; a success that is not JSON comes from a proxy or was cut. */
export function parseBody(text: string, status: number): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (status >= 300) return text;
    const what = /<html|<!doctype/i.test(text) ? 'an HTML page' : 'something that is not complete JSON';
    throw new Error(`the answer is ${what}; a proxy in between may answer in place of the API server`);
  }
}
