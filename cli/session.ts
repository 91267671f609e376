import type { Client } from '@temporalio/client';

import type { SpokeAccess } from '../adapters/access/target-access.ts';
import type { ClusterClient } from '../adapters/kubernetes/cluster-client.ts';
import type { ReleaseSource } from '../adapters/releases/release-source.ts';
import type { Planner } from '../activities/plan/planner.ts';
import { openHub, openTemporal, temporalEnvironment } from './connect.ts';
import type { SessionOptions } from './connection-options.ts';
import type { Terminal } from './terminal.ts';

/** What one command works with; each part is opened when it is first asked for. */
export interface Session {
  readonly terminal: Terminal;
  readonly operatorNamespace: string;
  readonly hubId: string;
  /** As given by option or the worker's variable. */
  readonly providerFile: string | undefined;
  /** What credential plugins inherit: they reach the hub as this command does. */
  readonly pluginEnvironment: Readonly<Record<string, string | undefined>>;
  /** The chosen namespace, or undefined: all namespaces for lists. */
  readonly chosenNamespace: string | undefined;
  /** The chosen namespace, else that of the context. */
  namespace(): Promise<string>;
  hub(): Promise<ClusterClient>;
  /** Rejects with CommandError `unreachable` when Temporal does not answer within five seconds. */
  temporal(): Promise<Client>;
  /** Address and namespace, without connecting. */
  temporalSettings(): Promise<{ readonly address: string; readonly namespace: string }>;
  spokes(): Promise<SpokeAccess>;
  planner(): Promise<Planner>;
  releases(): Promise<ReleaseSource>;
  close(): Promise<void>;
}

const defaultOperatorNamespace = 'knative-operator';

export function createSession(options: SessionOptions, terminal: Terminal): Session {
  const { environment } = terminal;
  const closers: (() => Promise<unknown>)[] = [];
  const closing = <T>(part: T, close: () => Promise<unknown>): T => {
    closers.push(close);
    return part;
  };
  const selection = {
    kubeconfig: options.kubeconfig ?? (environment['KUBECONFIG'] || undefined),
    context: options.context,
  };
  const providerFile = options.clusterprofileProviderFile ?? environment['CLUSTERPROFILE_PROVIDER_FILE'];
  const pluginEnvironment = { ...environment, KUBECONFIG: selection.kubeconfig };
  const forTemporal = temporalEnvironment(options, environment);
  const hub = once(async () => {
    const client = await openHub(selection);
    return closing(client, () => client.close());
  });
  return {
    terminal,
    operatorNamespace:
      options.operatorNamespace ?? environment['OPERATOR_NAMESPACE'] ?? defaultOperatorNamespace,
    hubId: options.hubId ?? environment['HUB_ID'] ?? '',
    providerFile,
    pluginEnvironment,
    chosenNamespace: options.namespace,
    async namespace() {
      if (options.namespace !== undefined) return options.namespace;
      const { kubeconfigNamespace } = await import('../adapters/kubernetes/kubeconfig.ts');
      return kubeconfigNamespace(selection);
    },
    hub,
    temporal: once(async () => {
      const client = await openTemporal(terminal, forTemporal);
      return closing(client, () => client.connection.close());
    }),
    async temporalSettings() {
      return (await import('../adapters/temporal/connection.ts')).temporalSettings(forTemporal);
    },
    spokes: once(async () => {
      const { openSpokes } = await import('../adapters/spokes/open-spokes.ts');
      const settings = { hub: await hub(), providerFile, log: warnings(terminal) };
      const spokes = await openSpokes({ ...settings, environment: pluginEnvironment });
      return closing(spokes, () => spokes.close());
    }),
    planner: once(async () => (await import('./open-planner.ts')).openPlanner(options, environment)),
    releases: async () => (await import('./open-planner.ts')).openReleaseSource(options, environment),
    async close() {
      await Promise.allSettled(closers.toReversed().map((close) => close()));
    },
  };
}

function warnings(terminal: Terminal): { info(): void; warn(fields: object, message: string): void } {
  return {
    info: () => undefined,
    warn: (_fields, message) => terminal.note(`warning: ${message}\n`),
  };
}

/** Opens once; a failure is not kept. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
