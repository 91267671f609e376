import { dependentConditions } from '../../domain/status/conditions.ts';

/** Every condition that a resource may have. */
export const conditionTypes: readonly string[] = ['Ready', 'Finalizing', ...dependentConditions];
