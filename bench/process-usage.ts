import { readFile } from 'node:fs/promises';

/** What a process took of the machine. */
export interface ProcessUsage {
  /** Since its start, all threads. */
  readonly cpuSeconds: number;
  /** Resident now. */
  readonly residentMB: number;
  /** The most that was resident. */
  readonly peakMB: number;
}

/** Ticks of the kernel's clock per second, as it tells them to processes. */
const ticksPerSecond = 100;

/** Reads what Linux counts for a process of ours. Rejects when it is gone. */
export async function processUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${String(pid)}/stat`, 'utf8'),
    readFile(`/proc/${String(pid)}/status`, 'utf8'),
  ]);
  // The command is in parentheses and may hold spaces; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1_000;
  return {
    cpuSeconds: ticks / ticksPerSecond,
    residentMB: megabytes('VmRSS'),
    peakMB: megabytes('VmHWM'),
  };
}
