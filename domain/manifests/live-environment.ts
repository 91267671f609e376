import { mapListAt } from './edit.ts';
import type { JsonRecord, ManagedFieldsEntry, ManifestObject } from './object.ts';
import { isRecord, listAt, recordAt, stringAt } from './object.ts';
import { podSpecPath } from './pod-template.ts';

/** The ping adapter is scaled and configured by the eventing controller at run time. */
export const pingAdapter = 'pingsource-mt-adapter';

/** Where the environment is, as a pattern of ceded fields. */
export const liveEnvironment = 'spec.template.spec.containers[].env';

/** Whether a controller replaces the whole environment of the workload's containers at run time. */
export function hasLiveEnvironment(object: ManifestObject): boolean {
  return object.kind === 'Deployment' && object.metadata.name === pingAdapter;
}

/**
 * The object with the live environment in each container where a manager that is `foreign` owns a part of it. All of it,
 * in its order: the controller compares the whole list, so a variable that is added back, or a source beside a value,
 * would make both write for ever or be refused. What only we own is ours to change.
 */
export function withLiveEnvironment(
  object: ManifestObject,
  live: ManifestObject,
  foreign: (manager: string) => boolean,
): ManifestObject {
  const others = (live.metadata.managedFields ?? []).filter(({ manager = '' }) => foreign(manager));
  const containers = listAt(live, ...podSpecPath, 'containers');
  return mapListAt(object, [...podSpecPath, 'containers'], (container) => {
    const name = stringAt(container, 'name') ?? '';
    const found = containers.find((candidate) => stringAt(candidate, 'name') === name);
    const taken = others.some((entry) => ownsEnvironment(entry, name));
    return isRecord(container) && taken ? withEnvironmentOf(container, found) : container;
  });
}

function withEnvironmentOf(container: JsonRecord, live: unknown): JsonRecord {
  const { env: _env, ...rest } = container;
  const env = listAt(live, 'env');
  return env.length === 0 ? rest : { ...rest, env };
}

function ownsEnvironment({ fieldsV1 }: ManagedFieldsEntry, container: string): boolean {
  const path = [...podSpecPath, 'containers'].map((key) => `f:${key}`);
  return 'f:env' in recordAt(fieldsV1, ...path, `k:${JSON.stringify({ name: container })}`);
}
