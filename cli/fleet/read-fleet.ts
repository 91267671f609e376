import type { ComponentResource } from '../../adapters/hub/components.ts';
import { createHubComponents, onHub, resourceOf } from '../../adapters/hub/components.ts';
import { componentApi, componentKinds, formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentKind, ComponentRef } from '../../domain/api/component-ref.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import { CommandError } from '../exit-codes.ts';
import type { Session } from '../session.ts';
import type { ComponentRow } from './component-row.ts';
import { componentRow } from './component-row.ts';
import type { CleanupRow } from './pending-cleanups.ts';
import { pendingCleanups } from './pending-cleanups.ts';
import type { WorkflowSummary } from './workflow-summary.ts';
import { openWorkflows } from './workflow-summary.ts';

/** All components of the hub, or of one namespace, in the order of their names. */
export async function listComponents(
  session: Session,
  namespace: string | undefined,
): Promise<readonly ComponentResource[]> {
  const hub = await session.hub();
  const lists = await Promise.all(
    componentKinds.map((kind) =>
      onHub(() => hub.list(componentApi.apiVersion, kind, { namespace })).catch((error: unknown) => {
        throw missingCrd(kind, error);
      }),
    ),
  );
  const resources = lists.flatMap((objects, index) =>
    objects.map((object) => {
      const kind = componentKinds[index] ?? 'KnativeServing';
      const { namespace: at = '', name = '' } = object.metadata;
      return resourceOf({ kind, namespace: at, name }, object);
    }),
  );
  return resources.toSorted((a, b) => (formatComponentRef(a.ref) < formatComponentRef(b.ref) ? -1 : 1));
}

/** Throws CommandError `missing` when the hub has no such component. */
export async function requireComponent(session: Session, ref: ComponentRef): Promise<ComponentResource> {
  const resource = await createHubComponents(await session.hub())
    .read(ref)
    .catch((error: unknown) => {
      throw missingCrd(ref.kind, error);
    });
  if (resource !== undefined) return resource;
  throw new CommandError(
    'missing',
    `${formatComponentRef(ref)} does not exist on the hub; list what does with: knative-fleet status`,
  );
}

/** What `status` shows. */
export interface Fleet {
  readonly rows: readonly ComponentRow[];
  /** Removals that go on without their resource; null when Temporal could not be asked. */
  readonly cleanups: readonly CleanupRow[] | null;
}

/** Everything, or only what is named; a Temporal that does not answer costs detail, not the table. */
export async function readFleet(session: Session, wanted: readonly ComponentRef[]): Promise<Fleet> {
  const namespace = session.chosenNamespace;
  const [resources, index] = await Promise.all([listComponents(session, namespace), indexOrNull(session)]);
  const names = new Set(wanted.map(formatComponentRef));
  const isWanted = (name: string): boolean => names.size === 0 || names.has(name);
  const rows = resources
    .filter(({ ref }) => isWanted(formatComponentRef(ref)))
    .map((resource) =>
      componentRow(resource, index === null ? null : index.workflows.get(formatComponentRef(resource.ref))),
    );
  const cleanups = index?.cleanups.filter(
    (row) => isWanted(row.component) && (namespace === undefined || row.namespace === namespace),
  );
  return { rows, cleanups: cleanups ?? null };
}

interface WorkflowIndex {
  readonly workflows: ReadonlyMap<string, WorkflowSummary>;
  readonly cleanups: readonly CleanupRow[];
}

async function indexOrNull(session: Session): Promise<WorkflowIndex | null> {
  try {
    const client = await session.temporal();
    const [workflows, cleanups] = await Promise.all([
      openWorkflows(client, session.hubId),
      pendingCleanups(client, session.hubId),
    ]);
    return { workflows, cleanups };
  } catch (error) {
    session.terminal.note(`warning: ${messageOf(error)}; the states are those of the conditions\n`);
    return null;
  }
}

function missingCrd(kind: ComponentKind, error: unknown): unknown {
  if (!isOperatorError(error, 'KindUnavailable')) return error;
  return new CommandError(
    'missing',
    `the hub does not serve ${kind}: its CustomResourceDefinition is not installed; apply deploy/crds, or choose ` +
      'another cluster with --context',
    error,
  );
}
