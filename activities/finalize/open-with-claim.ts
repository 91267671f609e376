import type { ConnectOptions } from '../../adapters/access/target-access.ts';
import type { HeldClaim } from '../../adapters/target/claim-store.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { OpenTarget } from '../pass/open-target.ts';

/** A target and the claim that was found on it. */
export interface TargetWithClaim {
  readonly target: OpenTarget;
  /** Undefined: nobody claims it. */
  readonly held: HeldClaim | undefined;
}

/** Opens a target and reads the claim of one kind in the same round trip; rejects as opening it does. */
export async function openWithClaim(
  deps: ActivityDependencies,
  kind: ComponentKind,
  open: (options: ConnectOptions) => Promise<OpenTarget>,
): Promise<TargetWithClaim> {
  let reading: Promise<HeldClaim | undefined> | undefined;
  const target = await open({
    meanwhile(client) {
      reading = deps.target.claims(client).read(kind);
      reading.catch(() => undefined);
    },
  });
  return { target, held: await (reading ?? deps.target.claims(target.client).read(kind)) };
}
