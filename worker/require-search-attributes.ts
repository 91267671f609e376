import { checkSearchAttributes, registrationCommand } from '../adapters/temporal/search-attributes.ts';
import type { SearchAttributeServer } from '../adapters/temporal/search-attributes.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import { searchAttributeTypes } from '../workflows/search-attributes.ts';

/**
 * Stops a worker whose workflows could not write their search attributes: the server would refuse every workflow task,
 * and nothing would say why. Throws an Error that names what is missing and what to run.
 */
export async function requireSearchAttributes(
  server: SearchAttributeServer,
  { namespace, log }: { readonly namespace: string; readonly log: Pick<Logger, 'warn'> },
): Promise<void> {
  const check = await checkSearchAttributes(server, namespace, searchAttributeTypes);
  switch (check.state) {
    case 'registered':
      return;
    case 'unknown':
      log.warn({ namespace }, `the search attributes could not be checked: ${check.why}`);
      return;
    case 'no-namespace':
      throw new Error(
        `Temporal namespace ${namespace} does not exist; set TEMPORAL_NAMESPACE, or create it: ` +
          `temporal operator namespace create --namespace ${namespace} --retention 168h`,
      );
    case 'wrong-type':
      throw new Error(
        `search attributes of Temporal namespace ${namespace} have other types: ${check.problems.join('; ')}; use a ` +
          'namespace of its own for this software',
      );
    case 'missing':
      throw new Error(
        `search attributes are missing in Temporal namespace ${namespace}: ${Object.keys(check.missing).join(', ')}; ` +
          `run: knative-fleet doctor --fix, or: ${registrationCommand(namespace, check.missing)}`,
      );
  }
}
