import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { ComponentResource } from '../adapters/hub/components.ts';
import { resourceOf } from '../adapters/hub/components.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { ComponentKind, ComponentRef } from '../domain/api/component-ref.ts';
import { componentApi, formatComponentRef } from '../domain/api/component-ref.ts';
import { wireNames } from '../domain/api/wire-names.ts';
import { messageOf } from '../domain/errors.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { announcementFor, forceCleanupReason } from '../domain/lifecycle/acknowledgement.ts';
import type { Announcement, ResourceView } from '../domain/lifecycle/acknowledgement.ts';
import { catchUp } from './catch-up.ts';
import type { ComponentWorkflows } from './component-workflows.ts';
import { logFields } from './log-fields.ts';
import { resourceView } from './resource-view.ts';

/** The resources as last seen, and what their workflows were told. */
export interface ComponentWatch {
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  readonly known: ReadonlyMap<string, ComponentResource>;
  /** Tells a resource's workflow again whatever it has not acknowledged. */
  announce(resource: ComponentResource, again: boolean): Promise<void>;
  /** Finds what events did not tell, once the watch knows the initial set; rejects when the hub does not answer. */
  catchUp(): Promise<void>;
}

/** What a workflow was told last. */
interface Told {
  readonly view: ResourceView;
  /** A sweep has found it like this since. */
  readonly swept: boolean;
}

export interface ComponentWatchOptions {
  readonly hub: ClusterClient;
  readonly workflows: ComponentWorkflows;
  readonly log: Logger;
  readonly kind: ComponentKind;
  readonly hubId: string;
}

export function watchComponents(options: ComponentWatchOptions): ComponentWatch {
  const { hub, workflows, log, kind, hubId } = options;
  const known = new Map<string, ComponentResource>();
  const told = new Map<string, Told>();
  let synced = false;

  const announce: ComponentWatch['announce'] = async (resource, again) => {
    const view = resourceView(resource);
    const key = formatComponentRef(resource.ref);
    const before = told.get(key);
    const same = before !== undefined && isSame(before.view, view);
    if (!again && same) return;
    told.set(key, { view, swept: again && same });
    const commanded = before !== undefined && !isEqual(before.view.commands, view.commands);
    const announcement = nextAnnouncement(before, view);
    await tell(workflows, resource, announcement);
    if (before === undefined || commanded || !before.view.deleting) await tellForce(workflows, resource);
    log.debug({ ...logFields(resource, hubId), generation: view.generation, announcement }, 'announced');
  };

  const see = async (object: ManifestObject): Promise<void> => {
    const resource = resourceOf(refOf(kind, object), object);
    known.set(formatComponentRef(resource.ref), resource);
    try {
      await announce(resource, false);
    } catch (error) {
      told.delete(formatComponentRef(resource.ref));
      log.warn(logFields(resource, hubId), `the workflow could not be told: ${messageOf(error)}`);
    }
  };

  const lose = async (ref: ComponentRef): Promise<void> => {
    const key = formatComponentRef(ref);
    const resource = known.get(key);
    known.delete(key);
    told.delete(key);
    if (resource !== undefined) await workflows.gone(ref, resource.uid).catch(() => undefined);
  };

  const replace = async (objects: readonly ManifestObject[]): Promise<void> => {
    const present = new Set(objects.map((object) => formatComponentRef(refOf(kind, object))));
    for (const [key, resource] of known) if (!present.has(key)) await lose(resource.ref);
    for (const object of objects) await see(object);
    synced = true;
  };

  return {
    known,
    announce,
    async catchUp() {
      if (synced) await catchUp({ hub, kind, known, see, lose });
    },
    run: (signal) => follow(options, { replace, see, lose }, signal),
  };
}

interface Consumer {
  readonly replace: (objects: readonly ManifestObject[]) => Promise<void>;
  readonly see: (object: ManifestObject) => Promise<void>;
  readonly lose: (ref: ComponentRef) => Promise<void>;
}

async function follow(
  { hub, log, kind }: ComponentWatchOptions,
  { replace, see, lose }: Consumer,
  signal: AbortSignal,
): Promise<void> {
  const { apiVersion } = componentApi;
  const onInterruption = (error: unknown): void =>
    log.warn({ kind }, `watch interrupted: ${messageOf(error)}`);
  for await (const event of hub.watch({ apiVersion, kind, signal, onInterruption })) {
    if (event.type === 'SYNC') await replace(event.objects);
    else if (event.type === 'DELETED') await lose(refOf(kind, event.object));
    else await see(event.object);
  }
}

/**
 * What is told next. A trigger is not repeated by the first sweep after it was told: a pass that serves it may be about
 * to acknowledge it, and would be followed by another one.
 */
function nextAnnouncement(before: Told | undefined, view: ResourceView): Announcement {
  const announcement = announcementFor(view);
  if (before === undefined) return announcement;
  if (isSame(before.view, view)) return announcement === 'nudge' && !before.swept ? 'none' : announcement;
  const commanded = !isEqual(before.view.commands, view.commands);
  return announcement === 'none' && commanded ? 'nudge' : announcement;
}

/** A resource that has no finalizer of ours and is being deleted needs no workflow. */
async function tell(
  workflows: ComponentWorkflows,
  resource: ComponentResource,
  announcement: Announcement,
): Promise<void> {
  const { ref, uid, generation, deleting } = resource;
  const sighting = { ref, uid, generation, deleting };
  switch (announcement) {
    case 'deleted':
      return workflows.deleted(sighting);
    case 'changed':
      return workflows.changed(sighting);
    case 'nudge':
      return workflows.nudge(sighting);
    case 'none':
      return deleting && !resourceView(resource).finalizer ? undefined : workflows.ensure(sighting);
  }
}

/** Passes on a forced cleanup that an annotation asks for. Nothing is lost without it: the next try of the removal reads it. */
async function tellForce(workflows: ComponentWorkflows, resource: ComponentResource): Promise<void> {
  const reason = forceCleanupReason(resource.annotations[wireNames.forceCleanupAnnotation], resource.uid);
  if (reason === undefined || !resource.deleting) return;
  await workflows.forceCleanup(resource.ref, { reason, requestedBy: 'annotation on the resource' });
}

function isSame(a: ResourceView, b: ResourceView): boolean {
  return (
    a.uid === b.uid &&
    a.generation === b.generation &&
    a.deleting === b.deleting &&
    isEqual(a.commands, b.commands)
  );
}

function isEqual(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function refOf(kind: ComponentKind, object: ManifestObject): ComponentRef {
  return { kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
}
