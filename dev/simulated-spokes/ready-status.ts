import type { JsonRecord, ManifestObject } from '../../domain/manifests/object.ts';
import { recordAt } from '../../domain/manifests/object.ts';

const condition = (type: string, reason = type): JsonRecord => ({
  type,
  status: 'True',
  reason,
  message: '',
});

/** What a cluster would say of an object once everything in it runs; here that is at once. */
export function readyStatus(object: ManifestObject, generation: number): JsonRecord | undefined {
  const wanted = recordAt(object, 'spec')['replicas'] ?? 1;
  switch (object.kind) {
    case 'Deployment':
      return {
        observedGeneration: generation,
        ...counts(wanted),
        conditions: [condition('Available'), condition('Progressing', 'NewReplicaSetAvailable')],
      };
    case 'StatefulSet':
      return {
        observedGeneration: generation,
        ...counts(wanted),
        currentReplicas: wanted,
        currentRevision: 'a',
        updateRevision: 'a',
      };
    case 'Job':
      return { succeeded: 1, conditions: [condition('Complete')] };
    case 'CustomResourceDefinition':
      return { conditions: [condition('Established'), condition('NamesAccepted')] };
    case 'Namespace':
      return { phase: 'Active' };
    default:
      return undefined;
  }
}

function counts(wanted: unknown): JsonRecord {
  return { replicas: wanted, updatedReplicas: wanted, readyReplicas: wanted, availableReplicas: wanted };
}
