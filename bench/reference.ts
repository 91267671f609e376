import type { ComponentName } from './measurement.ts';

/** The Go operator 1.22 on servers of this kind, recorded on 2026-11-30; seconds. */
export interface Reference {
  readonly component: ComponentName;
  readonly roundTripMs: number;
  readonly install: number;
  /** Undefined where it was not recorded. */
  readonly removal: number | undefined;
}

export const referenceDate = '2026-11-30';

export const references: readonly Reference[] = [
  { component: 'serving', roundTripMs: 0, install: 7.6, removal: 9.5 },
  { component: 'serving', roundTripMs: 100, install: 16.8, removal: 20.2 },
  { component: 'eventing', roundTripMs: 0, install: 15.7, removal: undefined },
  { component: 'eventing', roundTripMs: 100, install: 39.5, removal: 48.5 },
];
