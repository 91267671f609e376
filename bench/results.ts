import type { BenchProcess } from './bench-ground.ts';
import type { IdleCost } from './measure-idle.ts';
import type { Repairs } from './measure-drift.ts';
import type { InstallHistory } from './measure-history.ts';
import type { WorkerMemory } from './measure-memory.ts';
import type { Upgrade } from './measure-upgrade.ts';
import type { ComponentName, Measurement } from './measurement.ts';
import type { ProcessUsage } from './process-usage.ts';

/** Everything that one run measured; what was not asked for is undefined. */
export interface Results {
  readonly machine: Machine;
  /** Objects that are applied for each component, its anchor included. */
  readonly objects: Readonly<Record<ComponentName, number>>;
  readonly measurements: readonly Measurement[];
  readonly upgrade?: Upgrade | undefined;
  readonly idle?: readonly IdleCost[] | undefined;
  readonly repairs?: Repairs | undefined;
  readonly histories?: readonly InstallHistory[] | undefined;
  /** Over installs, upgrade, idling and drift; without `memory`, which has processes of its own. */
  readonly usage: Readonly<Record<BenchProcess, ProcessUsage>>;
  readonly memory?: WorkerMemory | undefined;
}

export interface Machine {
  readonly date: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly repetitions: number;
  readonly versions: string;
  /** Of worker and starter: that of the image where its package is installed. */
  readonly allocator: 'jemalloc' | 'malloc';
}
