import type { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';

import { toApplicationFailure } from '../../activities/failure.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import { OperatorError } from '../../domain/errors.ts';

function failureIn(attempt: number, kind: ErrorKind): Promise<ApplicationFailure> {
  return new MockActivityEnvironment({ attempt }).run(async () =>
    toApplicationFailure(new OperatorError(kind, 'why')),
  ) as Promise<ApplicationFailure>;
}

describe('toApplicationFailure', () => {
  test('looks for a missing kind at short intervals once the quick tries are over', async () => {
    expect((await failureIn(3, 'KindUnavailable')).nextRetryDelay).toBeUndefined();
    expect((await failureIn(40, 'KindUnavailable')).nextRetryDelay).toBe(20_000);
  });

  test('leaves the interval of every other kind to the retry policy', async () => {
    expect((await failureIn(40, 'SpokeUnreachable')).nextRetryDelay).toBeUndefined();
  });

  test.each([
    ['SpecInvalid', true],
    ['Superseded', true],
    ['KindUnavailable', false],
    ['Internal', false],
  ] as const)('gives %s back to the workflow at once: %s', async (kind, atOnce) => {
    const failure = await failureIn(1, kind);
    expect(failure).toMatchObject({ type: kind, message: 'why', nonRetryable: atOnce });
  });
});
