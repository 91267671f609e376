import { readFile } from 'node:fs/promises';

/** Looks into log files for what must never be there; returns what it found, for people, without the secret itself. */
export async function scanLogs(
  files: readonly string[],
  secrets: readonly string[],
): Promise<readonly string[]> {
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return files.flatMap((file, index) => {
    const lines = (contents[index] ?? '').split('\n');
    const found = lines.findIndex((line) => secrets.some((secret) => line.includes(secret)));
    return found < 0 ? [] : [`${file}: line ${String(found + 1)} holds a token`];
  });
}
