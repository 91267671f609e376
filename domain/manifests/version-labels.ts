import { OperatorError } from '../errors.ts';
import { minorOf } from '../semantic-version.ts';
import type { ManifestObject } from './object.ts';

const versionLabel = 'app.kubernetes.io/version';

/**
 * Returns when every object that names its version is of the wanted minor version. Throws ManifestInvalid naming the
 * first that is not, so that wrong manifests are refused before anything is applied. Version `latest` accepts all.
 */
export function checkVersionLabels(objects: readonly ManifestObject[], version: string): void {
  if (version === '' || version === 'latest') return;
  const wrong = objects.find((object) => !fits(labelOf(object), version));
  if (wrong === undefined) return;
  throw new OperatorError(
    'ManifestInvalid',
    `the version of the manifests ${withV(labelOf(wrong))} of the component ${wrong.metadata.name ?? ''} does not match the target version of the operator CR ${withV(version)}`,
  );
}

function labelOf({ metadata }: ManifestObject): string {
  return metadata.labels?.[versionLabel] ?? '';
}

/** A label that is no version fits nothing. */
function fits(label: string, version: string): boolean {
  const minor = minorOf(label);
  return label === '' || (minor !== undefined && minor === minorOf(version));
}

function withV(version: string): string {
  return version.startsWith('v') ? version : `v${version}`;
}
