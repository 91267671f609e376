import type { z } from 'zod';

import { OperatorError } from '../errors.ts';
import { isRecord, stringAt } from '../manifests/object.ts';
import type { ComponentKind } from './component-ref.ts';
import { describeIssue } from './describe-issue.ts';
import { KnativeEventing } from './knative-eventing.ts';
import { KnativeServing } from './knative-serving.ts';

/** A resource of either kind as the user wrote it. */
export interface Components {
  readonly KnativeServing: Omit<KnativeServing, 'status'>;
  readonly KnativeEventing: Omit<KnativeEventing, 'status'>;
}

const parsers: { readonly [K in ComponentKind]: (object: unknown) => z.ZodSafeParseResult<Components[K]> } = {
  KnativeServing: (object) => KnativeServing.safeParse(object),
  KnativeEventing: (object) => KnativeEventing.safeParse(object),
};

/**
 * Types a resource of a kind: unknown fields are left out and defaults filled in, as the API server does. Throws
 * SpecInvalid with every problem and its path. Status is not read, so an odd status never stops a resource.
 */
export function parseComponent<K extends ComponentKind>(kind: K, object: unknown): Components[K] {
  const result = parsers[kind](withoutStatus(object));
  if (result.success) return result.data;
  const problems = result.error.issues.map(describeIssue);
  const name = `${kind} ${stringAt(object, 'metadata', 'namespace') ?? ''}/${stringAt(object, 'metadata', 'name') ?? ''}`;
  throw new OperatorError(
    'SpecInvalid',
    `${name} cannot be used, correct these fields: ${problems.join('; ')}`,
    {
      details: { problems },
    },
  );
}

function withoutStatus(object: unknown): unknown {
  if (!isRecord(object)) return object;
  const { status: _ignored, ...rest } = object;
  return rest;
}
