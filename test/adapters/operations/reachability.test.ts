import { expect, test } from 'vitest';

import { createReachability } from '../../../adapters/operations/reachability.ts';
import { until } from '../../../dev/processes/until.ts';

test('what did not answer is asked again long before the next regular question', async () => {
  const ended = new AbortController();
  let asked = 0;
  const reachability = createReachability({
    name: 'Temporal',
    intervalMs: 3_600_000,
    check() {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('there is no connection yet')) : Promise.resolve();
    },
  });
  const running = reachability.run(ended.signal);
  await until('the first answer', 5_000, () => Promise.resolve(asked === 1 || undefined));
  await Promise.resolve();
  expect(reachability.problem()).toBe('Temporal does not answer: there is no connection yet');
  await until('it counts as usable', 30_000, () =>
    Promise.resolve(reachability.problem() === undefined || undefined),
  );
  expect(asked).toBe(2);
  ended.abort();
  await running;
});
