import { until } from '../../dev/processes/until.ts';
import type { Component, OperatorFleet } from '../support/operator-fleet.ts';
import { applyComponent, deleteComponent, untilGone, untilVersion } from '../support/operator-fleet.ts';
import type { CrashGate, CrashPoint } from './crash-gate.ts';
import type { Snapshot } from './snapshot.ts';

/** What happens to a component in its life, in this order. */
export const phases = ['install', 'upgrade', 'deletion'] as const;

export type Phase = (typeof phases)[number];

/** How one phase went. */
export interface PhaseRecord {
  readonly end: Snapshot;
  /** Every write up to its end, in the order of their arrival. */
  readonly writes: readonly string[];
  /** Whether the worker died where it was to. */
  readonly struck: boolean;
}

/** One life of a component. */
export type Life = Readonly<Record<Phase, PhaseRecord>>;

/** Where the worker dies; in each phase at most once. */
export type LifePoints = Partial<Readonly<Record<Phase, CrashPoint>>>;

export interface LifeScene {
  readonly scene: OperatorFleet;
  readonly component: Component;
  readonly gate: CrashGate;
  readonly versions: readonly [string, string];
  readonly take: () => Promise<Snapshot>;
}

/**
 * Installs, upgrades and deletes. With `expected`, the end of each phase is read again for a while until it equals the
 * expected one; without, each phase ends when no writes follow any more.
 */
export async function liveOnce(scene: LifeScene, points: LifePoints, expected?: Life): Promise<Life> {
  const step = async (phase: Phase, happens: () => Promise<void>): Promise<PhaseRecord> => {
    const point = points[phase];
    scene.gate.arm(point);
    await happens();
    const struck = point === undefined ? false : await strikes(scene.gate);
    if (expected === undefined) await quiet(scene.gate);
    const end = await settled(scene, expected?.[phase].end);
    return { end, writes: [...scene.gate.writes], struck };
  };
  const [first, second] = scene.versions;
  return {
    install: await step('install', () => toVersion(scene, first)),
    upgrade: await step('upgrade', () => toVersion(scene, second)),
    deletion: await step('deletion', () => toNothing(scene)),
  };
}

/** Writes that follow the last condition, and what each does when the worker dies at it, are part of the phase. */
async function strikes(gate: CrashGate): Promise<boolean> {
  const { struck } = await until('the write comes', 5_000, () =>
    Promise.resolve(gate.struck && { struck: gate.struck }),
  ).catch(() => ({ struck: undefined }));
  await struck;
  return struck !== undefined;
}

const quietMs = 3_000;

async function quiet(gate: CrashGate): Promise<void> {
  let since = performance.now();
  let count = gate.writes.length;
  await until('writes end', 60_000, () => {
    if (gate.writes.length !== count) since = performance.now();
    count = gate.writes.length;
    return Promise.resolve(performance.now() - since > quietMs || undefined);
  });
}

async function toVersion({ scene, component }: LifeScene, version: string): Promise<void> {
  const { hub } = scene.fleet;
  await applyComponent(hub, { ...component, spec: { ...component.spec, version } });
  await untilVersion(hub, component, version);
}

async function toNothing({ scene, component }: LifeScene): Promise<void> {
  await deleteComponent(scene.fleet.hub, component);
  await untilGone(scene.fleet.hub, component);
}

/** Controllers may still be at work; what does not become equal is returned for the comparison to fail on. */
async function settled({ take }: LifeScene, expected: Snapshot | undefined): Promise<Snapshot> {
  let seen = await take();
  if (expected === undefined) return seen;
  await until('the end state is the expected one', 15_000, async () => {
    seen = await take();
    return JSON.stringify(seen) === JSON.stringify(expected) || undefined;
  }).catch(() => undefined);
  return seen;
}
