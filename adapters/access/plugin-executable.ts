import { access, constants, open, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * The file that a plugin command names, looked up in `path` when it has no slash. Throws Error in words an operator
 * understands when it is missing, not executable, or not a program for this system (which the C library would hand to a
 * shell instead of refusing).
 */
export async function findExecutable(command: string, path: string): Promise<string> {
  const file = command.includes('/') ? command : await searchPath(command, path);
  if (file === undefined || !(await isFile(file))) throw new Error(`exec: executable ${command} not found`);
  if (!(await isExecutable(file))) {
    throw new Error(
      `exec: executable ${command} is not executable for this user; run chmod +x on it in the image`,
    );
  }
  const problem = describeFormat(await readHeader(file));
  if (problem !== undefined) throw new Error(`exec: executable ${command} ${problem}`);
  return file;
}

async function searchPath(command: string, path: string): Promise<string | undefined> {
  const candidates = path.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, command));
  for (const candidate of candidates) {
    if ((await isFile(candidate)) && (await isExecutable(candidate))) return candidate;
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Undefined when the file may be executed but not read. */
async function readHeader(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** ELF machine numbers by the name that Node gives to its own architecture. */
const machines: Readonly<Record<string, number>> = {
  ia32: 3,
  ppc64: 21,
  s390x: 22,
  arm: 40,
  x64: 62,
  arm64: 183,
  riscv64: 243,
  loong64: 258,
};

function describeFormat(header: Buffer | undefined): string | undefined {
  if (header === undefined || process.platform !== 'linux') return undefined;
  if (header.toString('latin1', 0, 2) === '#!') return undefined;
  if (header.length === 0) return 'is an empty file';
  if (header.toString('latin1', 0, 4) !== '\x7fELF') {
    return 'cannot be executed (exec format error): it is neither a Linux program nor a script with a #! line';
  }
  return describeMachine(header);
}

function describeMachine(header: Buffer): string | undefined {
  if (header.length < 20) return 'cannot be executed (exec format error): the file is cut off';
  const bigEndian = header[5] === 2;
  const machine = bigEndian ? header.readUInt16BE(18) : header.readUInt16LE(18);
  const own = machines[process.arch];
  if (own === undefined || machine === own) return undefined;
  const built =
    Object.keys(machines).find((name) => machines[name] === machine) ?? `machine ${String(machine)}`;
  return `cannot be executed (exec format error): it is built for ${built}, this system is ${process.arch}; use the image for ${process.arch}`;
}
