import type { z } from 'zod';

/** One problem that zod found, for people: `spec.workloads[0].name: what is wrong`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  let path = '';
  for (const step of issue.path) {
    path += typeof step === 'number' ? `[${String(step)}]` : `${path === '' ? '' : '.'}${String(step)}`;
  }
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
