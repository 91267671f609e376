import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import { wireNames } from '../../domain/api/wire-names.ts';
import { isOperatorError } from '../../domain/errors.ts';
import { stringAt } from '../../domain/manifests/object.ts';

const crdApi = 'apiextensions.k8s.io/v1';

/** Names of a component's CRDs that are converted by a webhook. */
export async function convertingCrds(client: ClusterClient, kind: ComponentKind): Promise<readonly string[]> {
  const labelSelector = `${wireNames.componentLabel}=${componentApi[kind].nameLabel}`;
  const crds = await client.list(crdApi, 'CustomResourceDefinition', { labelSelector });
  return crds
    .filter((crd) => stringAt(crd, 'spec', 'conversion', 'strategy') === 'Webhook')
    .map((crd) => crd.metadata.name ?? '');
}

/**
 * Sets the conversion of CRDs to None. The webhook that converts goes with the component, and without this the deletion
 * of any namespace would hang on it. A JSON patch, because the webhook's own manager holds its fields. Idempotent.
 */
export async function dropConversion(client: ClusterClient, crds: readonly string[]): Promise<void> {
  await Promise.all(crds.map((name) => drop(client, name)));
}

async function drop(client: ClusterClient, name: string): Promise<void> {
  const operations = [{ op: 'replace', path: '/spec/conversion', value: { strategy: 'None' } }];
  try {
    await client.patch(
      { apiVersion: crdApi, kind: 'CustomResourceDefinition', name },
      { type: 'json', operations },
    );
  } catch (error) {
    if (!isOperatorError(error, 'NotFound')) throw error;
  }
}
