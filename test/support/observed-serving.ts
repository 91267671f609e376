import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { until } from '../../dev/processes/until.ts';
import { resourceNamespace } from './operator-fleet.ts';
import type { Component, OperatorFleet } from './operator-fleet.ts';

const namespace = 'knative-serving';

export interface LiveObject {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly object[];
  readonly spec?: { readonly replicas?: number };
}

/** Serving on a spoke, with what can be seen of its observer and of its workflow. */
export interface ObservedServing {
  /** Workflow IDs of the running observers. */
  observers(): Promise<readonly string[]>;
  /** An object of the install namespace, or of the cluster; undefined when there is none. */
  read(kind: string, name: string): Promise<LiveObject | undefined>;
  /** Merges a body into an object as somebody else. */
  patch(kind: string, name: string, body: object, manager?: string): Promise<void>;
  /** Resolves once the object is there and not the one with this UID. */
  untilAnother(kind: string, name: string, than: string | undefined): Promise<void>;
  /** Resolves with the message of an event that holds all parts. */
  untilEvent(reason: string, parts: readonly string[]): Promise<string>;
  historyLength(): Promise<number>;
  phase(): Promise<unknown>;
  currentDetails(): Promise<string>;
  /** Name and resourceVersion of everything that the component has on the spoke, but Deployments: their controllers write. */
  versions(): Promise<readonly string[]>;
}

export function observedServing(scene: OperatorFleet, spoke: Cluster, component: Component): ObservedServing {
  const { kind, name } = component;
  const workflow = () => scene.temporal.workflow.getHandle(`${kind}/${component.namespace}/${name}`);
  const read: ObservedServing['read'] = async (of, called) => {
    const text = await kubectl(spoke, [
      'get',
      of,
      called,
      '-n',
      namespace,
      '-o',
      'json',
      '--ignore-not-found',
    ]);
    return text === '' ? undefined : (JSON.parse(text) as LiveObject);
  };
  return {
    read,
    async observers() {
      const query = `WorkflowType = 'SpokeObserver' AND ExecutionStatus = 'Running'`;
      const ids: string[] = [];
      for await (const { workflowId } of scene.temporal.workflow.list({ query })) ids.push(workflowId);
      return ids;
    },
    async patch(of, called, body, manager = 'kubectl-edit') {
      const how = ['--type=merge', `--field-manager=${manager}`, '-p', JSON.stringify(body)];
      await kubectl(spoke, ['patch', of, called, '-n', namespace, ...how]);
    },
    async untilAnother(of, called, than) {
      await until(`${of} ${called} is there again`, 90_000, async () => {
        const found = await read(of, called);
        return (found !== undefined && found.metadata.uid !== than) || undefined;
      });
    },
    async untilEvent(reason, parts) {
      let seen: readonly string[] = [];
      return until(`event ${reason} with ${parts.join(', ')}`, 60_000, async () => {
        seen = await messages(scene.fleet.hub, reason);
        return seen.find((message) => parts.every((part) => message.includes(part)));
      }).catch((error: unknown) => {
        throw new Error(`${String(error)}; there are ${seen.join(' | ')}`);
      });
    },
    historyLength: async () => (await workflow().describe()).historyLength,
    phase: async () => (await workflow().describe()).searchAttributes['KnPhase']?.[0],
    async currentDetails() {
      const metadata = await workflow().query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails ?? '';
    },
    versions: () => versionsOn(spoke),
  };
}

async function messages(hub: Cluster, reason: string): Promise<readonly string[]> {
  const args = ['get', 'events', '-n', resourceNamespace, '-o', 'json', `--field-selector=reason=${reason}`];
  const { items } = JSON.parse(await kubectl(hub, args)) as { items: { message: string }[] };
  return items.map(({ message }) => message);
}

async function versionsOn(spoke: Cluster): Promise<readonly string[]> {
  const kinds =
    'services,configmaps,secrets,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings,hpa,pdb,crds,validatingwebhookconfigurations,mutatingwebhookconfigurations';
  const path = '{range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}';
  const selector = ['-l', 'app.kubernetes.io/name=knative-serving', '-o', `jsonpath=${path}`];
  const text = await kubectl(spoke, ['get', kinds, '-A', ...selector]);
  return text.split('\n').filter((line) => line !== '');
}
