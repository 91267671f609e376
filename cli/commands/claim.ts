import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import { confirm } from '../confirm.ts';
import { declareTargetOptions } from '../connection-options.ts';
import { CommandError } from '../exit-codes.ts';
import { requireComponent } from '../fleet/read-fleet.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument } from '../output/documents.ts';
import { resolveComponent } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import { messageOf } from '../../domain/errors.ts';

interface TakeoverOptions extends WithOutput {
  readonly confirm?: string;
}

export function declareClaim(invocation: Invocation): Command {
  return new Command('claim')
    .description('Decide who owns a cluster when two components want it.')
    .addCommand(declareTakeover(invocation));
}

function declareTakeover(invocation: Invocation): Command {
  const command = new Command('takeover')
    .description(
      'Give the claim on its target to this component, whoever holds it now. The former owner writes nothing there ' +
        'from then on, and what it installed is taken over.',
    )
    .argument('<component>', `${componentSyntax} that is to own the cluster`)
    .option('--confirm <uid>', 'UID of the present owner, for scripts')
    .addOption(outputOption())
    .action((component: string, options: TakeoverOptions, self: Command) =>
      invocation.run(self, (session) => takeover(session, component, options)),
    );
  return withExamples(declareTargetOptions(command), 'knative-fleet claim takeover serving/platform/serving');
}

async function takeover(session: Session, component: string, options: TakeoverOptions): Promise<void> {
  const resource = await requireComponent(session, await resolveComponent(session, component));
  if (resource.deleting) {
    throw new CommandError('refused', `${component} is being deleted; what is deleted takes nothing over`);
  }
  const { openComponentTarget, openNamedTarget } = await import('../target/open-component-target.ts');
  const { readDispute, takeOver } = await import('../target/take-over-claim.ts');
  const [target, hub] = [
    await openComponentTarget(session, resource),
    await openNamedTarget(session, undefined),
  ];
  const dispute = await readDispute({
    resource,
    target,
    hubId: session.hubId,
    hubClusterUID: hub.clusterUID,
  });
  const owner = dispute.held.record;
  const what =
    `${target.identity.profile} (${target.identity.server}) is claimed by ${owner.component}, UID ${owner.uid}, hub ` +
    `${owner.hubClusterUID}, state ${owner.state}. Taking over ends its hold; two hubs that both believe to be right ` +
    'would then disagree.';
  await confirm(session.terminal, { what, typed: owner.uid, given: options.confirm, option: '--confirm' });
  await takeOver(target, dispute);
  await lookAgain(session, resource.ref);
  const document = { kind: 'ClaimTakeover', component: formatComponentRef(resource.ref), from: owner };
  session.terminal.print(
    formatDocument(options.output, document) ??
      `${document.component} now holds the claim on ${target.identity.profile}`,
  );
}

/** Without it the component finds its claim at the next try, some minutes later. */
async function lookAgain(session: Session, ref: Awaited<ReturnType<typeof resolveComponent>>): Promise<void> {
  const { requesterOf, sendCommand } = await import('../workflow/send-command.ts');
  const command = { name: 'sync', reason: 'claim takeover', requestedBy: requesterOf(undefined) } as const;
  await sendCommand(session, ref, command).catch((error: unknown) => {
    session.terminal.note(
      `warning: the claim is taken, but the workflow was not told: ${messageOf(error)}\n`,
    );
  });
}
