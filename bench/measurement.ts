/** Requests that the spoke's API server recorded, and bytes on the wire with TLS. */
export interface Traffic {
  /** Verb of the audit log to count; `discovery` is what names no resource. Server-side apply is `patch`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Requests that made an object (answered 201). */
  readonly created: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** One direction of one repetition. */
export interface Phase extends Traffic {
  readonly seconds: number;
}

export interface Removal extends Phase {
  /** From the request that deletes the install namespace until it was seen gone; part of `seconds`. */
  readonly namespaceSeconds: number;
}

export type Installer = 'operator' | 'floor';
export type ComponentName = 'serving' | 'eventing';

/** One install and removal. */
export interface Measurement {
  readonly component: ComponentName;
  readonly roundTripMs: number;
  readonly installer: Installer;
  readonly install: Phase;
  readonly removal: Removal;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    least: at(0),
    most: at(sorted.length - 1),
  };
}
