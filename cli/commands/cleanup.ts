import { Command } from 'commander';

import { componentSyntax, parseTargetArgument } from '../component-argument.ts';
import { declareTargetOptions } from '../connection-options.ts';
import { CommandError } from '../exit-codes.ts';
import { requireComponent } from '../fleet/read-fleet.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { resolveComponent } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import { destinationOf } from '../../domain/api/destination.ts';
import { formatAnswers } from './control.ts';

export interface CleanupOptions extends WithOutput {
  readonly force?: boolean;
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly purgeCrds?: string[];
  readonly withObjects?: boolean;
  readonly target?: string;
  readonly confirm?: string;
}

export function declareCleanup(invocation: Invocation): Command {
  const command = new Command('cleanup')
    .description(
      'Give up what cannot be removed from the target of a deleted component (--force), or remove the ' +
        'CustomResourceDefinitions that every removal leaves (--purge-crds).',
    )
    .argument('[component]', `${componentSyntax}; with --purge-crds its target is meant`)
    .option('--force', 'one more try, then record what stays and release the finalizer')
    .option('--reason <text>', 'why; kept in the record')
    .option('--requested-by <who>', 'who asks; default the user of this machine')
    .option('--purge-crds <name...>', 'CustomResourceDefinitions to delete on the target')
    .option('--with-objects', 'also when objects of these kinds exist, which are deleted with them')
    .option('--target <target>', 'for --purge-crds: NAMESPACE/NAME of a ClusterProfile, or local')
    .option('--confirm <text>', 'the answer to the question, for scripts')
    .addOption(outputOption())
    .action((component: string | undefined, options: CleanupOptions, self: Command) =>
      invocation.run(self, (session) => cleanup(session, component, options)),
    );
  return withExamples(
    declareTargetOptions(command),
    "knative-fleet cleanup serving/platform/serving --force --reason 'the cluster was switched off'",
    'knative-fleet cleanup --target fleet/spoke-1 --purge-crds services.serving.knative.dev routes.serving.knative.dev',
    'knative-fleet cleanup --target local --purge-crds brokers.eventing.knative.dev --with-objects --confirm local',
  );
}

async function cleanup(session: Session, component: string | undefined, options: CleanupOptions) {
  const force = options.force === true;
  if (force === (options.purgeCrds !== undefined)) {
    throw new CommandError('usage', 'give either --force with --reason, or --purge-crds NAME…');
  }
  return force ? forceCleanup(session, component, options) : purge(session, component, options);
}

async function forceCleanup(
  session: Session,
  component: string | undefined,
  options: CleanupOptions,
): Promise<void> {
  if (component === undefined) throw new CommandError('usage', `--force needs ${componentSyntax}`);
  const reason = options.reason?.trim() ?? '';
  if (reason === '') throw new CommandError('usage', '--force needs --reason: it is kept in the record');
  const { requesterOf, sendCommand } = await import('../workflow/send-command.ts');
  const ref = await resolveComponent(session, component);
  const command = { name: 'forceCleanup', reason, requestedBy: requesterOf(options.requestedBy) } as const;
  session.terminal.print(formatAnswers(options.output, [await sendCommand(session, ref, command)]));
}

async function purge(session: Session, component: string | undefined, options: CleanupOptions) {
  const { purgeCrds } = await import('../target/purge.ts');
  return purgeCrds(session, await targetOf(session, component, options.target), options);
}

async function targetOf(session: Session, component: string | undefined, target: string | undefined) {
  if ((component === undefined) === (target === undefined)) {
    throw new CommandError('usage', `--purge-crds needs either ${componentSyntax} or --target`);
  }
  if (target !== undefined) return parseTargetArgument(target);
  const resource = await requireComponent(session, await resolveComponent(session, component ?? ''));
  return destinationOf(resource.ref.kind, resource.object).profile;
}
