import type { ComponentKind } from '../api/component-ref.ts';
import { OperatorError } from '../errors.ts';
import { minorOf, newestFirst, parseVersion } from '../semantic-version.ts';

/** What a release directory holds, by directory name. */
export interface ReleaseIndex {
  readonly serving: readonly string[];
  readonly eventing: readonly string[];
  /** Ingress plug-ins by minor version, such as `1.22`. */
  readonly ingress: Readonly<Record<string, readonly string[]>>;
  /** Event sources by minor version. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  readonly guard: readonly string[];
}

/** One directory of a release directory. */
export type BundleRef =
  | { readonly component: 'knative-serving' | 'knative-eventing'; readonly version: string }
  | {
      readonly component: 'ingress' | 'eventing-source';
      /** `1.22`, or the literal `latest`. */
      readonly minor: string;
      readonly plugin: string;
    }
  | { readonly component: 'security-guard'; readonly version: string };

/** Path of a bundle below the release directory, such as `ingress/1.22/kourier`. */
export function bundlePath(bundle: BundleRef): string {
  return 'plugin' in bundle
    ? `${bundle.component}/${bundle.minor}/${bundle.plugin}`
    : `${bundle.component}/${bundle.version}`;
}

/** The versions of a kind in the index, newest first; names that are no versions come last. */
export function availableVersions(kind: ComponentKind, index: ReleaseIndex): readonly string[] {
  return (kind === 'KnativeServing' ? index.serving : index.eventing).toSorted(newestFirst);
}

/** What a spec says about versions. */
export interface WantedVersion {
  readonly version?: string | undefined;
  readonly manifests?: readonly unknown[] | undefined;
}

/**
 * The version that a spec asks for, which need not exist. Empty and `latest` mean the newest one, `1.22` its newest
 * patch; anything else is taken as written. With `spec.manifests` the version only names what the manifests hold, so
 * it is never completed. A leading `v` is dropped where it names a bundle.
 */
export function selectVersion(wanted: WantedVersion, available: readonly string[]): string {
  const literal = wanted.version ?? '';
  if (literal.toLowerCase() === 'latest') {
    return available.includes(literal) ? literal : (available[0] ?? literal);
  }
  if ((wanted.manifests ?? []).length > 0) return literal;
  if (literal === '') return available[0] ?? '';
  return newestPatch(literal.replace(/^v(?=[0-9])/, ''), available);
}

function newestPatch(version: string, available: readonly string[]): string {
  if (!/^[0-9]+\.[0-9]+$/.test(version)) return version;
  return available.find((name) => minorOf(name) === version) ?? version;
}

/** The directory level of ingresses and sources: `1.22` for `1.22.1`, or `latest`. */
export function pluginMinor(version: string): string {
  return version === 'latest' ? version : (minorOf(version) ?? version);
}

/** Serving minors from this one on take this security guard. */
const guardBundle = { sinceMinor: 20, version: '0.6' } as const;

/**
 * The security guard that fits a Serving version; for `latest` the one of the newest known Serving. Throws
 * ReleaseUnavailable for a Serving without one.
 */
export function guardBundleFor(version: string, index: ReleaseIndex): BundleRef {
  const serving = version === 'latest' ? (availableVersions('KnativeServing', index)[0] ?? '') : version;
  const parsed = parseVersion(serving);
  if (parsed?.major !== 1 || parsed.minor < guardBundle.sinceMinor) {
    throw new OperatorError(
      'ReleaseUnavailable',
      `the current version of Knative Serving is ${pluginMinor(serving)}. You need to install the version 1.8 or above to support the security guard`,
    );
  }
  return { component: 'security-guard', version: guardBundle.version };
}
