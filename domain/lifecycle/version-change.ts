import type { ComponentKind } from '../api/component-ref.ts';
import { OperatorError } from '../errors.ts';
import { parseVersion } from '../semantic-version.ts';

export interface VersionChange {
  readonly kind: ComponentKind;
  /** The version that was last installed completely; empty when none was. */
  readonly installed: string;
  readonly target: string;
}

/** The one step across a major version that Knative took. */
const majorStep: ReadonlySet<string> = new Set(['0.26', '1.0']);

/**
 * Returns when the target may follow what is installed: the same minor version or one next to it, in either
 * direction. Throws VersionNotEligible otherwise, with the Go operator's texts but the right kind.
 */
export function checkVersionChange({ kind, installed, target }: VersionChange): void {
  if (target === 'latest') return;
  const to = requireMinor(target);
  if (installed === '' || installed === 'latest') return;
  const from = parseVersion(installed);
  if (from === undefined || !installed.includes('.')) {
    throw notEligible(`minor number of the current version ${withV(installed)} should be an integer`);
  }
  const across = `The installed ${kind} version is ${withV(installed)}`;
  if (from.major !== to.major) {
    const step = [from, to].map(({ major, minor }) => `${major}.${minor}`);
    if (step.every((minor) => majorStep.has(minor))) return;
    throw notEligible(`not supported to upgrade or downgrade across the MAJOR version. ${across}`);
  }
  if (Math.abs(from.minor - to.minor) > 1) {
    throw notEligible(`not supported to upgrade or downgrade across multiple MINOR versions. ${across}`);
  }
}

function requireMinor(target: string): { readonly major: number; readonly minor: number } {
  const version = parseVersion(target);
  if (version === undefined) {
    throw notEligible(`target version ${withV(target)} is not in a valid semantic versioning format`);
  }
  if (!target.includes('.')) {
    throw notEligible(`target version ${withV(target)} should at least include the major and minor numbers`);
  }
  return version;
}

function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`;
}

function notEligible(message: string): OperatorError {
  return new OperatorError('VersionNotEligible', message);
}
