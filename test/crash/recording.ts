import type { JsonRecord } from '../../domain/manifests/object.ts';

/** One write as an API server recorded it. */
export interface RecordedWrite {
  /** Milliseconds since the epoch when it was answered. */
  readonly at: number;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  /** Resource with its subresource: `deployments/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: number;
  readonly sent: JsonRecord;
  readonly answer: JsonRecord;
}

/** One request as a proxy before a spoke saw it. */
export interface SeenOnSpoke {
  /** Milliseconds of a clock that all requests to the spoke share. */
  readonly at: number;
  readonly request: string;
  /** The worker that sent it; a new one knows nothing of what the last one was told. */
  readonly worker: number;
  /** How long the answer asked to wait. */
  readonly retryAfterMs?: number;
}

export interface SpokeRecording {
  readonly name: string;
  /** Tokens that this spoke takes. */
  readonly tokens: readonly string[];
  /** Tokens that it was sent. */
  readonly credentials: readonly string[];
  readonly seen: readonly SeenOnSpoke[];
  /** What the operator wrote. */
  readonly writes: readonly RecordedWrite[];
  /** What controllers said about Deployments. */
  readonly workloads: readonly RecordedWrite[];
}

/** One try of an activity that may write to a spoke, as a history tells it. */
export interface WritingActivity {
  readonly component: string;
  readonly activity: string;
  readonly from: number;
  readonly to: number;
}

/** How things were when a resource was seen to be gone. */
export interface Ending {
  readonly component: string;
  /** Identities in the inventory before. */
  readonly inventory: readonly string[];
  /** Identities on the spoke after. */
  readonly present: readonly string[];
  /** Identities in a record of what stays. */
  readonly abandoned: readonly string[];
}

/** Everything that one run of the operator left behind for a judge. */
export interface Recording {
  readonly spokes: readonly SpokeRecording[];
  /** Writes of status on the hub, each with the spoke of its component. */
  readonly statusWrites: readonly (RecordedWrite & { readonly spoke: string })[];
  readonly activities: readonly WritingActivity[];
  readonly endings: readonly Ending[];
  /** What a scan of all histories found. */
  readonly inHistories: readonly string[];
  readonly limits: { readonly requestsPerSecond: number; readonly burst: number };
}
