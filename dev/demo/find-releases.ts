import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A release directory and the versions that the demo installs from it. */
export interface DemoReleases {
  readonly root: string;
  readonly serving: string;
  readonly eventing: string;
}

/** RELEASES_DIRECTORY, else real releases beside the checkout, else the bundled sample. */
export async function findReleases(): Promise<DemoReleases> {
  const beside = fileURLToPath(new URL('../../../shared/releases', import.meta.url));
  const sample = fileURLToPath(new URL('../../releases/sample', import.meta.url));
  const real = process.env['RELEASES_DIRECTORY'] ?? beside;
  if (existsSync(`${real}/knative-serving/1.22.1`) && existsSync(`${real}/knative-eventing/1.22.2`)) {
    return { root: real, serving: '1.22.1', eventing: '1.22.2' };
  }
  return { root: sample, serving: '1.22.1', eventing: '1.22.1' };
}
