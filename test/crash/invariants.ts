import type { JsonRecord } from '../../domain/manifests/object.ts';
import { isRecord, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { Recording, RecordedWrite, SeenOnSpoke, SpokeRecording } from './recording.ts';

/** What must hold of every run, whatever happened in it. Each check tells what it found against it. */
export const invariants: Readonly<Record<string, (recording: Recording) => readonly string[]>> = {
  'a finalizer is gone only when the inventory is, or what stays is recorded': ({ endings }) =>
    endings.flatMap(({ component, inventory, present, abandoned }) => {
      const excused = new Set(abandoned);
      const there = new Set(present);
      const left = inventory.filter((key) => there.has(key) && !excused.has(key));
      return left.map((key) => `${component} was let go and left ${key}`);
    }),

  'only objects whose UID we know are deleted': ({ spokes }) => spokes.flatMap(strangersDeleted),

  'one activity at a time writes for a component': ({ activities }) => {
    const sorted = activities.toSorted((a, b) => a.from - b.from);
    return sorted.flatMap((later, index) =>
      sorted
        .slice(0, index)
        .filter(({ component, to }) => component === later.component && to > later.from)
        .map(({ activity }) => `${later.activity} of ${later.component} began before ${activity} ended`),
    );
  },

  'a version is reported when all its Deployments were seen available': (recording) =>
    recording.statusWrites.filter(isReadyReport).flatMap((report) => unavailable(recording, report)),

  'observedGeneration never runs ahead and never goes back': ({ statusWrites }) => {
    const last = new Map<string, number>();
    return statusWrites.filter(isSuccess).flatMap(({ answer, name }) => {
      const uid = uidOf(answer) ?? '';
      const observed = Number(recordAt(answer, 'status')['observedGeneration'] ?? 0);
      const before = last.get(uid) ?? 0;
      last.set(uid, Math.max(before, observed));
      const ahead = observed > Number(recordAt(answer, 'metadata')['generation']);
      return [
        ...(ahead ? [`${name} reports ${String(observed)} ahead of its generation`] : []),
        ...(observed < before ? [`${name} went back from ${String(before)} to ${String(observed)}`] : []),
      ];
    });
  },

  'Ready at the newest generation means that its settings were written': (recording) =>
    recording.statusWrites.filter(isReadyReport).flatMap((report) => unwritten(recording, report)),

  "no spoke is sent another one's credential": ({ spokes }) =>
    spokes.flatMap(({ name, credentials }) =>
      spokes
        .filter((other) => other.name !== name && other.tokens.some((token) => credentials.includes(token)))
        .map((other) => `${name} was sent a credential of ${other.name}`),
    ),

  'no history holds a secret': ({ inHistories }) => inHistories,

  'requests keep to the rate, and a throttled write is not repeated before its time': ({ spokes, limits }) =>
    spokes.flatMap(({ name, seen }) => [
      ...(isTooFast(seen, limits.requestsPerSecond + limits.burst) ? [`${name} got too many requests`] : []),
      ...tooEarly(seen).map((request) => `${name} got ${request} again before its time`),
    ]),
};

function isSuccess({ status }: RecordedWrite): boolean {
  return status < 300;
}

function uidOf(object: JsonRecord): string | undefined {
  return stringAt(object, 'metadata', 'uid');
}

function strangersDeleted({ name: spoke, writes }: SpokeRecording): string[] {
  const ours = new Set<string>();
  const violations: string[] = [];
  for (const { verb, resource, name, sent, answer, status } of writes) {
    if (status >= 300) continue;
    const uid = uidOf(answer);
    if (verb !== 'delete') {
      if (uid !== undefined) ours.add(uid);
      continue;
    }
    const asked = stringAt(sent, 'preconditions', 'uid');
    if (asked === undefined) violations.push(`${resource} ${name} on ${spoke} was deleted whoever it was`);
    else if (!ours.has(asked)) violations.push(`${resource} ${name} on ${spoke} was never written by us`);
  }
  return violations;
}

function conditionOf(object: JsonRecord, type: string): string | undefined {
  const conditions = recordAt(object, 'status')['conditions'];
  if (!Array.isArray(conditions)) return undefined;
  const found = conditions.filter(isRecord).find((condition) => condition['type'] === type);
  return found === undefined ? undefined : stringAt(found, 'status');
}

function isReadyReport(write: RecordedWrite): boolean {
  return isSuccess(write) && conditionOf(write.answer, 'Ready') === 'True';
}

function versionOf(object: JsonRecord): string | undefined {
  return stringAt(object, 'metadata', 'labels', 'app.kubernetes.io/version');
}

/** Deployments of the reported version that were applied and never seen available in that form before the report. */
function unavailable({ spokes }: Recording, report: Recording['statusWrites'][number]): string[] {
  const version = stringAt(report.answer, 'status', 'version');
  const spoke = spokes.find(({ name }) => name === report.spoke);
  const wanted = (spoke?.writes ?? []).filter(
    ({ resource, verb, at, status, answer }) =>
      resource === 'deployments' &&
      verb !== 'delete' &&
      status < 300 &&
      at <= report.at &&
      versionOf(answer) === version,
  );
  const seen = (spoke?.workloads ?? []).filter(({ at, answer }) => at <= report.at && isAvailable(answer));
  const names = new Set(wanted.map(({ name }) => name));
  return [...names]
    .filter((name) => !seen.some((other) => other.name === name && versionOf(other.answer) === version))
    .map((name) => `${report.name} was Ready at ${version ?? ''} before ${name} was`);
}

/** Settings of the generation that a report is about and that were not what was last written before it. */
function unwritten({ spokes }: Recording, report: Recording['statusWrites'][number]): string[] {
  const { answer, at, name, spoke } = report;
  const generation = recordAt(answer, 'metadata')['generation'];
  if (recordAt(answer, 'status')['observedGeneration'] !== generation) return [];
  const writes = (spokes.find((candidate) => candidate.name === spoke)?.writes ?? []).filter(
    (write) =>
      isSuccess(write) && write.verb !== 'delete' && write.resource === 'configmaps' && write.at <= at,
  );
  const settings = Object.entries(recordAt(answer, 'spec', 'config')).filter(([, values]) =>
    isRecord(values),
  );
  return settings.flatMap(([config, values]) => {
    const written = recordAt(
      writes.findLast((write) => write.name === `config-${config}`)?.sent ?? {},
      'data',
    );
    const differing = Object.entries(values as JsonRecord).filter(([key, value]) => written[key] !== value);
    return differing.map(
      ([key]) => `${name} was Ready at generation ${String(generation)} before ${config}.${key} was written`,
    );
  });
}

function isAvailable(deployment: JsonRecord): boolean {
  const generation = recordAt(deployment, 'metadata')['generation'];
  const observed = recordAt(deployment, 'status')['observedGeneration'];
  return observed === generation && conditionOf(deployment, 'Available') === 'True';
}

/** A second's worth of requests of one worker that its bucket cannot have held. */
function isTooFast(seen: readonly SeenOnSpoke[], most: number): boolean {
  return seen.some((last, index) => {
    const earlier = seen[index - most];
    return earlier !== undefined && earlier.worker === last.worker && last.at - earlier.at < 1_000;
  });
}

function tooEarly(seen: readonly SeenOnSpoke[]): string[] {
  return seen.flatMap(({ at, request, worker, retryAfterMs }, index) => {
    // Several may read the same thing, each for itself.
    if (retryAfterMs === undefined || request.startsWith('GET ')) return [];
    const again = seen.slice(index + 1).find((other) => other.request === request && other.worker === worker);
    return again !== undefined && again.at - at < retryAfterMs ? [request] : [];
  });
}
