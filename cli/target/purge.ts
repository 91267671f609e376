import { confirm } from '../confirm.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { CleanupOptions } from '../commands/cleanup.ts';
import { formatDocument } from '../output/documents.ts';
import { withProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { openNamedTarget } from './open-component-target.ts';
import type { LeftCrd } from './purge-crds.ts';
import { deleteCrds, readLeftCrds } from './purge-crds.ts';

/** Removes CRDs from a target after a confirmation; refused while objects of them exist, unless those may go too. */
export async function purgeCrds(
  session: Session,
  profile: { namespace: string; name: string } | undefined,
  options: CleanupOptions,
): Promise<ExitCode> {
  const target = await openNamedTarget(session, profile);
  const crds = await readLeftCrds(target.client, [...new Set(options.purgeCrds ?? [])]);
  const used = crds.filter((crd) => crd.objects > 0);
  if (used.length > 0 && options.withObjects !== true) throw inUse(used, target.profile);
  const objects = used.reduce((sum, crd) => sum + crd.objects, 0);
  await confirm(session.terminal, {
    what: `${String(crds.length)} CustomResourceDefinitions and ${String(objects)} objects of them will be deleted on ${target.profile} (${target.server}). This cannot be undone.`,
    typed: target.profile,
    given: options.confirm,
    option: '--confirm',
  });
  const items = await withProgress(session.terminal, `deleting on ${target.profile}`, () =>
    deleteCrds(target.client, crds),
  );
  const held = items.filter((item) => item.outcome === 'held').map((item) => item.name);
  const document = { kind: 'PurgedDefinitions', target: target.profile, objects, items };
  const text = items.map(({ name, outcome }) => `${name}: ${outcome}`).join('\n');
  session.terminal.print(formatDocument(options.output, document) ?? text);
  if (held.length === 0) return exitCodes.done;
  throw new CommandError(
    'failed',
    `${held.join(', ')} on ${target.profile} are being deleted but are held: objects of them have finalizers; look at ` +
      `kubectl get ${held[0] ?? ''} -A, remove what holds them, and the server finishes by itself`,
  );
}

function inUse(crds: readonly LeftCrd[], target: string): CommandError {
  const lines = crds.map(({ name, objects, examples }) => {
    const more = objects > examples.length ? ', …' : '';
    return `${name} has ${String(objects)} (${examples.join(', ')}${more})`;
  });
  return new CommandError(
    'refused',
    `objects exist on ${target} and would be lost: ${lines.join('; ')}; delete them, or pass --with-objects`,
  );
}
