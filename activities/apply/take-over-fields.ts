import type { Applied } from '../../adapters/kubernetes/apply-object.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { goOperatorManagers, wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError } from '../../domain/errors.ts';
import { transferFields } from '../../domain/manifests/managed-fields.ts';
import type { FieldPattern } from '../../domain/manifests/ceded-fields.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';

const attempts = 4;

/**
 * Makes the fields ours that the Go operator left on an object which was just applied, and applies it again: what only
 * that operator had set and nobody wants any more goes. Does nothing, without a request, for an object that it never
 * wrote. A race that is lost again and again leaves the fields for the next pass.
 */
export async function takeOverFields(
  client: ClusterClient,
  work: {
    readonly object: ManifestObject;
    readonly ceded: readonly FieldPattern[];
    readonly applied: Applied;
  },
  applyAgain: () => Promise<Applied>,
): Promise<Applied> {
  const { object } = work;
  // Most of a Job cannot change; it expires anyway.
  if (object.kind === 'Job') return work.applied;
  let { applied } = work;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const managedFields = transferFields(applied.metadata.managedFields ?? [], {
      to: wireNames.fieldManager,
      from: goOperatorManagers,
      released: [...work.ceded, ...releasedFields(object)],
    });
    if (managedFields === undefined) return applied;
    await rewrite(client, object, applied, managedFields);
    applied = await applyAgain();
  }
  return applied;
}

async function rewrite(
  client: ClusterClient,
  object: ManifestObject,
  { metadata }: Applied,
  managedFields: readonly object[],
): Promise<void> {
  const { apiVersion, kind } = object;
  const ref = { apiVersion, kind, namespace: metadata.namespace, name: metadata.name ?? '' };
  const operations = [
    { op: 'replace', path: '/metadata/managedFields', value: managedFields },
    // As a precondition: another version is refused.
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
  ];
  try {
    await client.patch(ref, { type: 'json', operations });
  } catch (error) {
    if (!isOperatorError(error, 'Conflict')) throw error;
  }
}

/** Fields that keep their value when nobody sends them, because a controller may rely on them now. */
function releasedFields(object: ManifestObject): readonly FieldPattern[] {
  switch (object.kind) {
    case 'Deployment':
    case 'StatefulSet':
      return ['spec.replicas'];
    case 'CustomResourceDefinition':
      return ['spec.conversion'];
    case 'ClusterRole':
      return object['aggregationRule'] === undefined ? [] : ['rules'];
    default:
      return [];
  }
}
