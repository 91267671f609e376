import { delimiter } from 'node:path';

import { KubeConfig } from '@kubernetes/client-node';

import { messageOf, OperatorError } from '../../domain/errors.ts';

/** What the library makes up when it finds no configuration at all. */
const madeUpContext = 'loaded-context';

/** Which cluster is meant, as kubectl takes it. */
export interface KubeconfigSelection {
  /** One file, or several as in KUBECONFIG; absent means KUBECONFIG, ~/.kube/config or the service account of the Pod. */
  readonly kubeconfig?: string | undefined;
  /** Absent means current-context. */
  readonly context?: string | undefined;
}

/** The configuration with its context chosen. The client library only reads it. Throws HubUnavailable without one. */
export function readKubeconfig({ kubeconfig, context }: KubeconfigSelection): KubeConfig {
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else loadFiles(config, kubeconfig.split(delimiter).filter(Boolean));
  } catch (error) {
    throw unavailable(`the kubeconfig cannot be read: ${messageOf(error)}`);
  }
  if (config.currentContext === madeUpContext)
    throw unavailable('there is no kubeconfig and this is not a Pod; set KUBECONFIG');
  if (context !== undefined) choose(config, context);
  return config;
}

/** Namespace of the chosen context; `default` without one, as kubectl has it. */
export function kubeconfigNamespace(selection: KubeconfigSelection): string {
  const config = readKubeconfig(selection);
  return config.getContextObject(config.currentContext)?.namespace ?? 'default';
}

function loadFiles(config: KubeConfig, [first = '', ...more]: readonly string[]): void {
  config.loadFromFile(first);
  for (const file of more) {
    const other = new KubeConfig();
    other.loadFromFile(file);
    config.mergeConfig(other, true);
  }
}

function choose(config: KubeConfig, context: string): void {
  if (config.getContextObject(context) === null) {
    const known = config.contexts.map(({ name }) => name).join(', ');
    throw unavailable(`the kubeconfig has no context "${context}"; it has ${known === '' ? 'none' : known}`);
  }
  config.setCurrentContext(context);
}

function unavailable(message: string): OperatorError {
  return new OperatorError('HubUnavailable', message);
}
