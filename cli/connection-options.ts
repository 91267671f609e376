import type { Command } from 'commander';

/** What every command takes: the settings of kubectl and of the `temporal` command, by the same variables. */
export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly operatorNamespace?: string;
  readonly hubId?: string;
  readonly temporalAddress?: string;
  readonly temporalNamespace?: string;
  readonly temporalProfile?: string;
  readonly debug?: boolean;
}

/** What commands take that dial a target or render, as the worker takes it. */
export interface WorkerOptions {
  readonly clusterprofileProviderFile?: string;
  readonly releases?: string;
  readonly releasesDownload?: boolean;
}

export type SessionOptions = ConnectionOptions & WorkerOptions;

export function declareConnectionOptions(program: Command): Command {
  return program
    .option('--kubeconfig <file>', 'kubeconfig of the hub (KUBECONFIG)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-n, --namespace <name>', 'namespace of the resources; default for KIND/NAME')
    .option(
      '--operator-namespace <name>',
      'namespace of records and inventories on the hub (OPERATOR_NAMESPACE; default knative-operator)',
    )
    .option('--hub-id <id>', 'id in front of workflow ids, as the worker has it (HUB_ID)')
    .option('--temporal-address <host:port>', 'Temporal frontend (TEMPORAL_ADDRESS)')
    .option('--temporal-namespace <name>', 'Temporal namespace (TEMPORAL_NAMESPACE; default knative-fleet)')
    .option(
      '--temporal-profile <name>',
      'profile of the Temporal configuration file (TEMPORAL_PROFILE); TLS and API keys come from there',
    )
    .option('--debug', 'print the stack of a failure');
}

export function declareTargetOptions(command: Command): Command {
  return command.option(
    '--clusterprofile-provider-file <file>',
    'access provider file of the worker (CLUSTERPROFILE_PROVIDER_FILE)',
  );
}

export function declareReleaseOptions(command: Command): Command {
  return command
    .option('--releases <folder>', 'release directory of the worker (RELEASES_DIRECTORY)')
    .option('--releases-download', 'take published releases (RELEASES_DOWNLOAD=true)');
}
