import { Command } from 'commander';

import { componentSyntax } from '../component-argument.ts';
import { declareReleaseOptions } from '../connection-options.ts';
import { CommandError } from '../exit-codes.ts';
import { requireComponent } from '../fleet/read-fleet.ts';
import type { Invocation, WithOutput } from '../invocation.ts';
import { outputOption, withExamples } from '../invocation.ts';
import { formatDocument, formatYaml } from '../output/documents.ts';
import { readResourceFile } from '../read-resource-file.ts';
import { resolveComponent } from '../resolve-components.ts';
import type { Session } from '../session.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { groupByStage } from '../../domain/manifests/stages.ts';

interface RenderOptions extends WithOutput {
  readonly filename?: string;
}

export function declareRender(invocation: Invocation): Command {
  const command = new Command('render')
    .description(
      'Print the objects that a component asks for, in the order of apply. Needs no cluster with -f.',
    )
    .argument('[component]', `${componentSyntax} on the hub, without -f`)
    .option('-f, --filename <file>', 'a file with the resource; - for standard input')
    .addOption(outputOption())
    .action((component: string | undefined, options: RenderOptions, self: Command) =>
      invocation.run(self, (session) => render(session, component, options)),
    );
  return withExamples(
    declareReleaseOptions(command),
    'knative-fleet render -f serving.yaml --releases ./releases',
    'knative-fleet render serving/platform/serving | kubectl diff -f -',
  );
}

async function render(
  session: Session,
  component: string | undefined,
  options: RenderOptions,
): Promise<void> {
  const resource = await wantedResource(session, component, options.filename);
  const planner = await session.planner();
  const { version, digest, objects, warnings } = await planner.plan(resource);
  for (const warning of warnings) session.terminal.note(`warning: ${warning}\n`);
  const ordered = groupByStage(objects.map(withoutOwner)).flatMap((stage) => stage.objects);
  const document = { kind: 'RenderedComponent', version, digest, objects: ordered };
  session.terminal.print(formatDocument(options.output, document) ?? manifestText(ordered));
}

/** From a file, or from the hub. Throws CommandError `usage` unless exactly one of the two is given. */
async function wantedResource(session: Session, component: string | undefined, file: string | undefined) {
  if ((component === undefined) === (file === undefined)) {
    throw new CommandError('usage', `give either ${componentSyntax} or -f FILE`);
  }
  if (file !== undefined) return readResourceFile(file);
  return requireComponent(session, await resolveComponent(session, component ?? ''));
}

/** The owner exists only on a target; what is printed can be applied by hand. */
function withoutOwner(object: ManifestObject): ManifestObject {
  const { ownerReferences: _owner, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function manifestText(objects: readonly ManifestObject[]): string {
  return objects.map((object) => `---\n${formatYaml(object)}`).join('\n');
}
