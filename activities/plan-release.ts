import type { Plan } from '../domain/lifecycle/component-state.ts';
import type { PassInput } from '../domain/lifecycle/pass.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openPass } from './pass/open-pass.ts';
import { reporting } from './pass/reporting.ts';

const maxWarnings = 5;
const maxWarning = 300;

/**
 * Chooses the version, loads its bundles and renders them: every check that needs no cluster. The result names the
 * rendered set by digest; each later activity renders again and compares. Unknown names in overrides become events.
 */
export function planRelease(deps: ActivityDependencies) {
  return async (pass: PassInput): Promise<Plan> =>
    reporting(deps, pass, async () => {
      const resource = await openPass(deps, pass);
      const planned = await deps.planner.plan(resource);
      for (const message of planned.warnings) {
        await deps.hub.events.record(pass.ref, pass.uid, { type: 'Warning', reason: 'UnknownName', message });
      }
      return {
        version: planned.version,
        digest: planned.digest,
        objects: planned.objects.length,
        warnings: planned.warnings.slice(0, maxWarnings).map((warning) => warning.slice(0, maxWarning)),
      };
    });
}
