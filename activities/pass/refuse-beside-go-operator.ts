import { describeGoOperator } from '../../domain/api/go-operator.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Throws GoOperatorActive while a Go operator leads on the hub: both would write the same objects. */
export async function refuseBesideGoOperator(deps: ActivityDependencies): Promise<void> {
  const renewed = await deps.hub.goOperator.renewed();
  if (renewed !== undefined) throw new OperatorError('GoOperatorActive', describeGoOperator(renewed));
}
