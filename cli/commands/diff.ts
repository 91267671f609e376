import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import { declareReleaseOptions, declareTargetOptions } from '../connection-options.ts';
import type { ObjectDifference } from '../diff/object-difference.ts';
import type { ExitCode } from '../exit-codes.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { requireComponent } from '../fleet/read-fleet.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument } from '../output/documents.ts';
import { withProgress } from '../output/progress.ts';
import { readResourceFile } from '../read-resource-file.ts';
import { resolveComponent } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import { formatComponentRef } from '../../domain/api/component-ref.ts';
import type { ComponentResource } from '../../adapters/hub/components.ts';

interface DiffOptions extends WithOutput {
  readonly filename?: string;
}

export function declareDiff(invocation: Invocation): Command {
  const command = new Command('diff')
    .description(
      'Show what a pass would change on the target: a server-side dry run of every wanted object. Writes nothing.',
    )
    .argument('[component]', `${componentSyntax}; may be left out with -f`)
    .option('-f, --filename <file>', 'with the spec of this file in place of the one on the hub')
    .addOption(outputOption())
    .action((component: string | undefined, options: DiffOptions, self: Command) =>
      invocation.run(self, (session) => diff(session, component, options)),
    );
  return withExamples(
    declareReleaseOptions(declareTargetOptions(command)),
    'knative-fleet diff serving/platform/serving --clusterprofile-provider-file providers.json',
    'knative-fleet diff -f serving.yaml -o json',
  );
}

async function diff(
  session: Session,
  component: string | undefined,
  options: DiffOptions,
): Promise<ExitCode> {
  const resource = await wantedResource(session, component, options.filename);
  const [{ diffComponent }, { openComponentTarget }, planner] = await Promise.all([
    import('../diff/component-diff.ts'),
    import('../target/open-component-target.ts'),
    session.planner(),
  ]);
  const planned = await planner.plan(resource);
  for (const warning of planned.warnings) session.terminal.note(`warning: ${warning}\n`);
  const target = await openComponentTarget(session, resource);
  const what = `comparing ${String(planned.objects.length)} objects with ${target.identity.profile}`;
  const result = await withProgress(session.terminal, what, () => diffComponent(resource, target, planned));
  const document = {
    kind: 'ComponentDiff',
    component: formatComponentRef(resource.ref),
    target: target.identity.profile,
    version: planned.version,
    unchanged: result.unchanged,
    items: result.differences,
  };
  const text = [...result.differences.map(formatDifference), summary(document)].join('\n');
  session.terminal.print(formatDocument(options.output, document) ?? text);
  return result.differences.length === 0 ? exitCodes.done : exitCodes.found;
}

/** The resource as the hub has it; with a file its spec is the file's, and identity and status stay. */
async function wantedResource(
  session: Session,
  component: string | undefined,
  file: string | undefined,
): Promise<ComponentResource> {
  if (file === undefined) {
    if (component === undefined) throw new CommandError('usage', `give ${componentSyntax}, or -f FILE`);
    return requireComponent(session, await resolveComponent(session, component));
  }
  const written = await readResourceFile(file);
  const ref = component === undefined ? written.ref : await resolveComponent(session, component);
  const present = await requireComponent(session, ref);
  return { ...present, object: { ...present.object, spec: written.object['spec'] } };
}

function formatDifference({ object, change, diff: text }: ObjectDifference): string {
  if (change === 'remove') return `${object} would be removed`;
  return change === 'failed' ? `${object} cannot be applied: ${text}` : text;
}

function summary(document: {
  items: readonly ObjectDifference[];
  unchanged: number;
  target: string;
}): string {
  const count = (change: ObjectDifference['change']): string =>
    String(document.items.filter((item) => item.change === change).length);
  const failed = count('failed') === '0' ? '' : `, ${count('failed')} cannot be applied`;
  return (
    `${document.target}: ${count('create')} to create, ${count('change')} to change, ${count('remove')} to remove, ` +
    `${String(document.unchanged)} unchanged${failed}`
  );
}
