import { isRecord, listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';

/** What one step brought, for people and for the documented shape. */
export interface StepOutcome {
  readonly what: string;
  /** Whether it wrote to a cluster. */
  readonly wrote: boolean;
}

type Describe = (result: unknown, input: unknown) => StepOutcome;

const numberAt = (value: unknown, key: string): number => {
  const found = recordAt(value)[key];
  return typeof found === 'number' ? found : 0;
};

const textsAt = (value: unknown, ...path: readonly string[]): readonly string[] =>
  listAt(value, ...path).filter((item) => typeof item === 'string');

/** By activity, what its result says was done. An activity that is not listed shows its name only. */
const descriptions: Readonly<Record<string, Describe>> = {
  resolveTarget: (result) => ({
    what: `${stringAt(result, 'server') ?? ''} answers, Kubernetes ${stringAt(result, 'kubernetesVersion') ?? ''}`,
    wrote: false,
  }),
  planRelease: (result) => ({
    what: `${String(numberAt(result, 'objects'))} objects of ${stringAt(result, 'version') ?? ''}`,
    wrote: false,
  }),
  claimTarget: () => ({ what: 'claim, inventory, namespace and anchor', wrote: true }),
  applyStages: describeChanges,
  awaitReady: (result) => ({
    what:
      recordAt(result)['ready'] === true
        ? 'all workloads are ready'
        : `still waiting for ${textsAt(result, 'waitingFor').join(', ')}`,
    wrote: false,
  }),
  pruneObsolete: (result) => ({
    what: `removed ${String(numberAt(result, 'removed'))} that are no longer wanted`,
    wrote: numberAt(result, 'removed') > 0,
  }),
  reportReady: (_result, input) => ({
    what: `${stringAt(input, 'version') ?? ''} is ready`,
    wrote: false,
  }),
  probeTarget: (result) => ({
    what: recordAt(result)['drifted'] === true ? 'differs from the inventory' : 'as recorded',
    wrote: false,
  }),
  finalizeTarget: describeRemoval,
  recordAbandonment: () => ({ what: 'recorded what stays behind', wrote: true }),
  releaseFinalizer: () => ({ what: 'released the finalizer on the hub', wrote: true }),
  recordCommand: (_result, input) => ({
    what: `wrote ${stringAt(input, 'command', 'name') ?? 'the command'} on the resource`,
    wrote: true,
  }),
};

export function describeStep(activity: string, result: unknown, input: unknown): StepOutcome {
  return descriptions[activity]?.(result, input) ?? { what: '', wrote: false };
}

const maxNames = 5;

function describeChanges(result: unknown): StepOutcome {
  const [created, changed, unchanged] = ['created', 'changed', 'unchanged'].map((key) =>
    numberAt(result, key),
  );
  const names = textsAt(result, 'names');
  const more = Object.values(recordAt(result, 'more')).reduce<number>(
    (sum, count) => sum + (typeof count === 'number' ? count : 0),
    Math.max(0, names.length - maxNames),
  );
  const shown = [...names.slice(0, maxNames), ...(more > 0 ? [`${String(more)} more`] : [])];
  const wrote = (created ?? 0) + (changed ?? 0) > 0;
  const counts = `created ${String(created)}, changed ${String(changed)}, unchanged ${String(unchanged)}`;
  return { what: wrote ? `${counts}: ${shown.join(', ')}` : counts, wrote };
}

function describeRemoval(result: unknown): StepOutcome {
  const blockers = textsAt(result, 'blockers');
  const counts = `removed ${String(numberAt(result, 'removed'))}, left ${String(numberAt(result, 'pending'))}`;
  const outcome = isRecord(result) ? (stringAt(result, 'outcome') ?? '') : '';
  return { what: [`${outcome}: ${counts}`, ...blockers].join('; '), wrote: true };
}
