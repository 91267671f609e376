import type { ReportInput } from '../domain/lifecycle/pass.ts';
import { asStatus, installed, isTrue } from '../domain/status/status-change.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openPass } from './pass/open-pass.ts';
import { reporting } from './pass/reporting.ts';
import { timestamp } from './pass/timestamp.ts';

/** Writes that everything of a generation is installed and ready, and records the events once. Safe to repeat. */
export function reportReady(deps: ActivityDependencies) {
  return async (input: ReportInput): Promise<void> =>
    reporting(deps, input, async () => {
      const resource = await openPass(deps, input);
      const before = asStatus(resource.status);
      const done = { generation: input.generation, version: input.version };
      await deps.hub.components.updateStatus(input.ref, input.uid, (found) =>
        installed(asStatus(found), done, timestamp()),
      );
      await reportRepair(deps, input);
      if (isTrue(before, 'Ready') && before.version === input.version) return;
      const message = `Knative ${input.version} is installed and ready`;
      await deps.hub.events.record(input.ref, input.uid, { type: 'Normal', reason: 'Ready', message });
    });
}

async function reportRepair(deps: ActivityDependencies, { ref, uid, repaired }: ReportInput): Promise<void> {
  if (repaired === undefined) return;
  const { objects, count } = repaired;
  deps.drift.repaired(ref, count);
  const more = count > objects.length ? `; and ${String(count - objects.length)} more` : '';
  const message = `repaired: ${objects.join('; ')}${more}`;
  await deps.hub.events.record(ref, uid, { type: 'Normal', reason: 'DriftRepaired', message });
}
