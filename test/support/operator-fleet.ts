import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';

import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import type { Cluster } from '../../dev/control-plane/cluster.ts';
import { kubeconfigOf } from '../../dev/control-plane/kubeconfig.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import {
  installClusterProfileCrd,
  registerSpoke,
  writeProviderFile,
} from '../../dev/operator/register-spoke.ts';
import { ensureNamespace, prepareHub } from '../../dev/operator/prepare-hub.ts';
import { startOperator } from '../../dev/operator/start-operator.ts';
import type { Operator, OperatorOptions } from '../../dev/operator/start-operator.ts';
import { temporaryFolder } from '../../dev/processes/reaper.ts';
import { until } from '../../dev/processes/until.ts';
import { createNamespace } from '../../dev/temporal/create-namespace.ts';
import { componentPath } from './component-path.ts';
import type { RawApi } from './raw-api.ts';
import { createRawApi } from './raw-api.ts';
import { scanHistories } from './scan-histories.ts';
import { scanLogs } from './scan-logs.ts';

/** Where test resources live on the hub. */
export const resourceNamespace = 'platform';
/** Where ClusterProfiles live on the hub. */
export const inventoryNamespace = 'fleet';

const shared = fileURLToPath(new URL('../../../shared/releases', import.meta.url));
const sample = fileURLToPath(new URL('../../releases/sample', import.meta.url));

/** Small releases that come with the sources; for tests that are about something else than the release. */
export const sampleReleases = { root: sample, serving: '1.22.1', eventing: '1.22.1' };

/** The real releases where they are at hand, else the bundled sample; with versions that both have, or nearly so. */
export const testReleases = existsSync(shared)
  ? { root: shared, serving: '1.22.1', eventing: '1.22.2', real: true }
  : { ...sampleReleases, real: false };

export interface OperatorFleetOptions {
  readonly spokes: number;
  /** False: the hub has no ClusterProfile CRD, and the provider file that the worker's flag names does not exist. */
  readonly multicluster?: boolean;
  readonly releases?: string;
  /** Whose requests the API servers record. */
  readonly auditedUsers?: readonly string[];
  /** As whom the operator acts; without it as administrator everywhere. */
  readonly identities?: (fleet: Fleet) => Promise<OperatorIdentities>;
  /** How the operator reaches the hub; without it directly. */
  readonly hubAccess?: (hub: Cluster) => Promise<HubAccess>;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface HubAccess extends Pick<Cluster, 'server' | 'caPem'> {
  /** The starter reaches the hub directly all the same; default false. */
  readonly workerOnly?: boolean;
}

/** Tokens that the operator uses. */
export interface OperatorIdentities {
  readonly worker: string;
  readonly starter: string;
  /** By the name of the spoke. */
  readonly spokes: ReadonlyMap<string, string>;
}

/** A hub, its spokes and the operator as users run it, in a Temporal namespace of its own. */
export interface OperatorFleet {
  readonly fleet: Fleet;
  readonly operator: Operator;
  /** How worker and starter were started, to start more of them. */
  readonly operatorOptions: OperatorOptions;
  readonly temporal: Client;
  readonly folder: string;
  readonly providerFile: string;
  /** Ends everything; rejects when a history or log of the run holds a credential, or a history a manifest or too much. */
  stop(): Promise<void>;
}

export interface Component {
  readonly kind: 'KnativeServing' | 'KnativeEventing';
  readonly name: string;
  readonly namespace: string;
  readonly spec: object;
}

export interface ComponentView {
  readonly metadata: {
    readonly uid: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly finalizers?: string[];
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly version?: string;
    readonly manifests?: readonly string[];
    readonly target?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
}

export async function startOperatorFleet(options: OperatorFleetOptions): Promise<OperatorFleet> {
  const { address } = inject('temporal');
  const namespace = `test-${randomUUID()}`;
  const folder = await temporaryFolder();
  const auditedUsers = options.auditedUsers ?? [];
  const [fleet] = await Promise.all([
    startFleet({ spokes: options.spokes, auditedUsers, hub: { auditedUsers } }),
    createNamespace(address, namespace),
  ]);
  await prepareHub(fleet.hub);
  await ensureNamespace(fleet.hub, resourceNamespace);
  const identities = await options.identities?.(fleet);
  const providerFile = join(folder, 'providers.json');
  const multicluster = options.multicluster ?? true;
  if (multicluster) {
    await installClusterProfileCrd(fleet.hub);
    await writeProviderFile(providerFile);
    for (const spoke of fleet.spokes) {
      const { name, server, caPem, token } = spoke;
      const account = { name, server, caPem, token: identities?.spokes.get(name) ?? token };
      await registerSpoke({ hub: fleet.hub, spoke: account, namespace: inventoryNamespace });
    }
  }
  const operatorOptions: OperatorOptions = {
    folder,
    ...(await kubeconfigs(fleet.hub, { identities, access: await options.hubAccess?.(fleet.hub) }, folder)),
    temporal: { address, namespace },
    providerFile,
    releases: options.releases ?? testReleases.root,
    cache: join(cacheFolder(), 'releases'),
    workflowBundle: inject('workflowBundle'),
    environment: { SWEEP_INTERVAL_SECONDS: '5', ...options.environment },
  };
  const operator = await startOperator(operatorOptions);
  const temporal = new Client({ connection: await Connection.connect({ address }), namespace });
  return {
    fleet,
    operator,
    operatorOptions,
    temporal,
    folder,
    providerFile,
    async stop() {
      await operator.stop();
      const tokens = [fleet.hub, ...fleet.spokes].map(({ token }) => token).concat(tokensOf(identities));
      const { violations } = await scanHistories(temporal, tokens);
      const leaks = await scanLogs(Object.values(operator.logs), tokens);
      await temporal.connection.close();
      await fleet.stop();
      const found = [...violations, ...leaks];
      if (found.length > 0) throw new Error(`histories or logs hold what they must not: ${found.join('; ')}`);
    },
  };
}

async function kubeconfigs(
  hub: Cluster,
  as: { readonly identities: OperatorIdentities | undefined; readonly access: HubAccess | undefined },
  folder: string,
): Promise<{ kubeconfigPath: string; starterKubeconfigPath?: string }> {
  const { identities, access } = as;
  if (identities === undefined && access === undefined) return { kubeconfigPath: hub.kubeconfigPath };
  const write = async (name: 'worker' | 'starter'): Promise<string> => {
    const path = join(folder, `${name}.kubeconfig`);
    const direct = name === 'starter' && access?.workerOnly === true;
    const { server, caPem } = direct ? hub : (access ?? hub);
    const token = identities?.[name] ?? hub.token;
    await writeFile(path, kubeconfigOf({ server, caPem, token }), { mode: 0o600 });
    return path;
  };
  return { kubeconfigPath: await write('worker'), starterKubeconfigPath: await write('starter') };
}

function tokensOf(identities: OperatorIdentities | undefined): readonly string[] {
  return identities === undefined
    ? []
    : [identities.worker, identities.starter, ...identities.spokes.values()];
}

export async function applyComponent(hub: Cluster, component: Component): Promise<void> {
  const { kind, name, namespace, spec } = component;
  const object = { apiVersion: 'operator.knative.dev/v1beta1', kind, metadata: { name, namespace }, spec };
  await kubectl(hub, ['apply', '-f', '-'], JSON.stringify(object));
}

const hubApis = new Map<string, RawApi>();

/** One read on a connection that is kept: it is polled, and a process for each look would take the machine. */
export async function readComponent(hub: Cluster, component: Component): Promise<ComponentView | undefined> {
  const api = hubApis.get(hub.server) ?? createRawApi(hub);
  hubApis.set(hub.server, api);
  const { status, body, message } = await api.send({ method: 'GET', path: componentPath(component) });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`the hub answered ${String(status)}: ${message}`);
  return body as unknown as ComponentView;
}

/** Resolves with the resource when a condition has the status, and the reason when one is given. */
export async function untilCondition(
  hub: Cluster,
  component: Component,
  wanted: {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly within?: number;
    /** Only when it is about the newest generation. */
    readonly observed?: boolean;
  },
): Promise<ComponentView> {
  let seen: ComponentView | undefined;
  const { type, status, reason, within, observed } = wanted;
  try {
    return await until(
      `${component.name} has ${type}=${status} ${reason ?? ''}`,
      within ?? 180_000,
      async () => {
        seen = await readComponent(hub, component);
        if (observed === true && !isObserved(seen)) return undefined;
        const condition = seen?.status?.conditions?.find((candidate) => candidate.type === type);
        const holds = condition?.status === status && (reason === undefined || condition.reason === reason);
        return holds ? seen : undefined;
      },
    );
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen?.status ?? seen)}`);
  }
}

function isObserved(view: ComponentView | undefined): boolean {
  return view?.status?.['observedGeneration'] === view?.metadata.generation;
}

/** Resolves once the newest generation of the resource is Ready. */
export async function untilReady(hub: Cluster, component: Component): Promise<ComponentView> {
  return untilCondition(hub, component, { type: 'Ready', status: 'True', observed: true });
}

/** Resolves once the resource is Ready at a version, which may be given as a minor one. */
export async function untilVersion(hub: Cluster, component: Component, version: string): Promise<void> {
  let seen: ComponentView | undefined;
  try {
    await until(`${component.name} is Ready at ${version}`, 120_000, async () => {
      seen = await readComponent(hub, component);
      const found = seen?.status?.version ?? '';
      const there = found === version || found.startsWith(`${version}.`);
      const conditions = seen?.status?.conditions ?? [];
      return (there && conditions.every(({ status }) => status === 'True')) || undefined;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen?.status)}`);
  }
}

export async function deleteComponent(hub: Cluster, component: Component): Promise<void> {
  await kubectl(hub, ['delete', component.kind, component.name, '-n', component.namespace, '--wait=false']);
}

export async function untilGone(hub: Cluster, component: Component): Promise<void> {
  let seen: ComponentView | undefined;
  try {
    await until(`${component.name} is gone`, 180_000, async () => {
      seen = await readComponent(hub, component);
      return seen === undefined ? true : undefined;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${JSON.stringify(seen?.status)}`);
  }
}

export function destination(spoke: Cluster): object {
  return { destination: { clusterProfileRef: { name: spoke.name, namespace: inventoryNamespace } } };
}

export function servingOn(spoke: Cluster, more: object = {}): Component {
  const spec = {
    version: testReleases.serving,
    ingress: { kourier: { enabled: true } },
    ...destination(spoke),
    ...more,
  };
  return { kind: 'KnativeServing', name: 'serving', namespace: resourceNamespace, spec };
}

export function eventingOn(spoke: Cluster, more: object = {}): Component {
  const spec = { version: testReleases.eventing, ...destination(spoke), ...more };
  return { kind: 'KnativeEventing', name: 'eventing', namespace: resourceNamespace, spec };
}
