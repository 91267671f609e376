import { expect, test } from 'vitest';

import { templateDigest } from '../../activities/apply/template-digest.ts';
import { forgetOutdatedJobs } from '../../activities/pass/forget-outdated-jobs.ts';
import { intentOf } from '../../domain/manifests/inventory.ts';

const job = (image: string) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'migrate', namespace: 'knative-serving' },
  spec: { template: { spec: { containers: [{ name: 'migrate', image }] } } },
});
const done = (image: string) => {
  const entries = intentOf([], [job(image)], '2026-01-01T00:00:00Z');
  return entries.map((entry) => ({ ...entry, done: templateDigest(job(image)) }));
};

test('a Job that completed is forgotten as soon as another template is wanted, and only then', () => {
  const known = done('one');
  expect(forgetOutdatedJobs(known, [job('one')])).toEqual(known);
  expect(forgetOutdatedJobs(known, [])).toEqual(known);
  const [forgotten] = forgetOutdatedJobs(known, [job('two')]);
  expect(forgotten?.done).toBeUndefined();
  const [again] = forgetOutdatedJobs(forgotten === undefined ? [] : [forgotten], [job('one')]);
  expect(again?.done).toBeUndefined();
});
