import { messageOf } from '../../domain/errors.ts';

/** What one check found; the fields are the documented shape of `-o json`. */
export interface Finding {
  /** Name of the check: stable, for scripts. */
  readonly check: string;
  /** What was looked at: an address, a file, a ClusterProfile. */
  readonly object: string;
  readonly state: 'ok' | 'fixed' | 'warning' | 'problem' | 'skipped';
  readonly what: string;
  /** What to do; null when nothing is to be done. */
  readonly fix: string | null;
}

type Subject = Pick<Finding, 'check' | 'object'>;

export function ok(subject: Subject, what: string): Finding {
  return { ...subject, state: 'ok', what, fix: null };
}

export function problem(subject: Subject, what: string, fix: string): Finding {
  return { ...subject, state: 'problem', what, fix };
}

export function warning(subject: Subject, what: string, fix: string): Finding {
  return { ...subject, state: 'warning', what, fix };
}

export function skipped(subject: Subject, what: string): Finding {
  return { ...subject, state: 'skipped', what, fix: null };
}

/** Runs a check; whatever it throws is a problem with the given advice. */
export async function finding(
  subject: Subject,
  fix: string,
  check: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return problem(subject, messageOf(error), fix);
  }
}
