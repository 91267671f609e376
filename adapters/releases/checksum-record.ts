import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { OperatorError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/manifests/object.ts';

/** A folder of downloaded files and the file that holds their checksums. */
export interface RecordedFolder {
  readonly files: string;
  readonly record: string;
}

type Checksums = Readonly<Record<string, string>>;

/** Records the checksums of a first download; of a later one, refuses with ManifestInvalid whatever has changed. */
export async function recordChecksums(
  { record }: RecordedFolder,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const found = checksumsOf(texts);
  const known = await readRecord(record);
  if (known !== undefined) {
    refuseChanges(record, known, found, 'was published anew with other content');
    return;
  }
  const partial = `${record}.${randomUUID()}.partial`;
  await mkdir(dirname(record), { recursive: true });
  await writeFile(partial, `${JSON.stringify(found, undefined, 2)}\n`);
  await rename(partial, record);
}

/** Refuses with ManifestInvalid a folder whose files are not the recorded ones. */
export async function checkAgainstRecord({ files, record }: RecordedFolder): Promise<void> {
  const known = await readRecord(record);
  if (known === undefined) {
    throw new OperatorError(
      'ManifestInvalid',
      `${files} has no checksums in ${record}; delete the folder to download it again`,
    );
  }
  const names = await readdir(files);
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(files, name), 'utf8')] as const),
  );
  refuseChanges(
    record,
    known,
    checksumsOf(new Map(texts)),
    `in ${files} was changed or is missing since the download`,
  );
}

function refuseChanges(record: string, known: Checksums, found: Checksums, what: string): void {
  const names = new Set([...Object.keys(known), ...Object.keys(found)]);
  for (const name of names) {
    if (known[name] === found[name]) continue;
    throw new OperatorError(
      'ManifestInvalid',
      `${name} ${what}: its checksum is ${found[name] ?? 'none'} and was ${known[name] ?? 'none'}; ` +
        `if that is right, delete ${record} and the downloaded folder`,
    );
  }
}

function checksumsOf(texts: ReadonlyMap<string, string>): Checksums {
  return Object.fromEntries(
    [...texts].map(([name, text]) => [name, `sha256:${createHash('sha256').update(text).digest('hex')}`]),
  );
}

async function readRecord(record: string): Promise<Checksums | undefined> {
  const text = await readFile(record, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? (parsed as Checksums) : {};
  } catch {
    return {};
  }
}
