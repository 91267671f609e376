import { describe, expect, test } from 'vitest';

import { parseComponent } from '../../domain/api/parse-component.ts';
import { manifestLocations } from '../../domain/manifests/manifest-locations.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { RenderedRelease } from '../../domain/render.ts';
import type { ReleaseSelection, SpecOfKind } from '../../domain/select-release.ts';
import { deliberateDifferences } from '../conformance/deliberate-differences.ts';
import type { Difference } from '../support/compare-objects.ts';
import { compareObjects } from '../support/compare-objects.ts';
import { renderShared } from '../support/render-shared.ts';
import type { RecordedCase } from '../conformance/recordings.ts';
import { recordedKey } from '../conformance/recordings.ts';
import { hasSharedMaterial, recordings } from '../support/shared-material.ts';

describe.skipIf(!hasSharedMaterial)('renderRelease, compared with the recordings beside the checkout', () => {
  const seen = new Set<string>();

  test.each(recordings.cases.map((recorded) => [recorded.name, recorded] as const))(
    'renders for %s what the Go operator left on the cluster',
    (_name, recorded) => {
      const { selection, release } = rendered(recorded);
      const unexplained = differences(recorded, release).filter(
        (difference) => !explained(recorded, difference, seen),
      );
      expect(unexplained).toEqual([]);
      expect(manifestLocations(selection, '')).toEqual(
        recorded.status.manifests ?? manifestLocations(selection, ''),
      );
      expect(selection.version).toBe(recorded.status.version ?? selection.version);
    },
  );

  test('names no deliberate difference that does not show', () => {
    const stale = deliberateDifferences.filter(({ object, path }) => !seen.has(`${object} ${path}`));
    expect(stale.filter(isRendered)).toEqual([]);
  });
});

/** Differences of other kinds, such as those that only show on a cluster, are checked where they show. */
function isRendered({ object }: { readonly object: string }): boolean {
  return /^[^/]*\/[A-Z]/.test(object);
}

function rendered(recorded: RecordedCase): { selection: ReleaseSelection; release: RenderedRelease } {
  const target = { installNamespace: recorded.metadata.namespace, owner: ownerOf(recorded) };
  return renderShared(componentOf(recorded), target);
}

function componentOf({ kind, metadata, spec }: RecordedCase): SpecOfKind {
  const resource = { apiVersion: 'operator.knative.dev/v1beta1', kind, metadata, spec };
  return kind === 'KnativeServing'
    ? { kind, spec: parseComponent(kind, resource).spec ?? {} }
    : { kind, spec: parseComponent(kind, resource).spec ?? {} };
}

function ownerOf({ kind, local, metadata: { name } }: RecordedCase) {
  return local
    ? { apiVersion: 'operator.knative.dev/v1beta1', kind, name, uid: '1' }
    : { apiVersion: 'v1', kind: 'ConfigMap', name: `${kind.toLowerCase()}-${name}-root-owner`, uid: '1' };
}

function differences(recorded: RecordedCase, release: RenderedRelease): readonly Difference[] {
  const ours = new Map(release.objects.map((object) => [keyOf(object), object]));
  const theirs = new Map(recorded.objects.map((entry) => [recordedKey(entry), entry]));
  const missing = [...theirs.keys()].filter((key) => !ours.has(key) && !isAnchor(key));
  return [
    ...missing.map((object) => ({ object, path: '', ours: 'absent', recorded: 'present' })),
    ...[...ours].flatMap(([key, object]) => {
      const entry = theirs.get(key);
      return entry === undefined
        ? [{ object: key, path: '', ours: 'present', recorded: 'absent' }]
        : compareObjects(key, object, recordings.object(entry));
    }),
  ];
}

/** The anchor of a spoke is not part of the release. */
function isAnchor(key: string): boolean {
  return /\/ConfigMap\/.*-root-owner$/.test(key);
}

function explained(recorded: RecordedCase, { object, path }: Difference, seen: Set<string>): boolean {
  const entry = deliberateDifferences.find(
    (candidate) =>
      candidate.object === object &&
      (path === candidate.path ||
        path.startsWith(`${candidate.path}.`) ||
        path.startsWith(`${candidate.path}[`)) &&
      candidate.cases.includes(recorded.name),
  );
  if (entry !== undefined) seen.add(`${entry.object} ${entry.path}`);
  return entry !== undefined;
}
