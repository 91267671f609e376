import { readdir, readFile, readlink } from 'node:fs/promises';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** One letter, as in `ps`: T is stopped. */
  readonly state: string;
  readonly command: string;
}

/** Every process of the machine that still runs; zombies do not. */
export async function runningProcesses(): Promise<readonly ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const entries = await Promise.all(pids.map((pid) => processEntry(pid).catch(() => undefined)));
  return entries.filter((entry) => entry !== undefined);
}

export async function childrenOf(parent: number): Promise<readonly ProcessEntry[]> {
  return (await runningProcesses()).filter((entry) => entry.parent === parent);
}

async function processEntry(pid: number): Promise<ProcessEntry | undefined> {
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
  const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const command = (await readFile(`/proc/${String(pid)}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  return { pid, parent: Number(parent), state, command };
}

/** Remote ends of all TCP and UDP sockets of a process that are neither listening nor on loopback, as the kernel prints them. */
export async function foreignPeersOf(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${String(pid)}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => readFile(`/proc/${String(pid)}/net/${name}`, 'utf8')),
  );
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((columns) => inodes.has(columns[9]))
    .map((columns) => columns[2] ?? '')
    .filter((peer) => !isLoopback(peer));
}

// Little-endian hexadecimal: 0100007F is 127.0.0.1; all zeros is no peer.
function isLoopback(peer: string): boolean {
  const [address = ''] = peer.split(':');
  return /^0*$/.test(address) || address.endsWith('7F') || /^0{24}01000000$/.test(address);
}
