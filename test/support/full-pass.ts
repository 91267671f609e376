import { wireNames } from '../../domain/api/wire-names.ts';
import type { ClusterClient } from '../../adapters/kubernetes/cluster-client.ts';
import { until } from '../../dev/processes/until.ts';
import { recordAt } from '../../domain/manifests/object.ts';
import { componentApi } from '../../domain/api/component-ref.ts';
import * as messages from '../../workflows/messages.ts';
import type { Component, OperatorFleet } from './operator-fleet.ts';

/** Asks for a full pass by annotation, as people do, and resolves when it has ended with the component Ready. */
export async function fullPass(
  scene: OperatorFleet,
  hub: ClusterClient,
  component: Component,
  value: string,
): Promise<void> {
  const { kind, namespace, name } = component;
  const ref = { apiVersion: componentApi.apiVersion, kind, namespace, name };
  const body = { metadata: { annotations: { [wireNames.triggerAnnotation]: value } } };
  await hub.patch(ref, { type: 'merge', body });
  const workflow = scene.temporal.workflow.getHandle(`${kind}/${namespace}/${name}`);
  let seen = '';
  try {
    await until(`the full pass ${value} over ${name} ends`, 60_000, async () => {
      const resource = await hub.get(ref);
      if (recordAt(resource, 'status', 'acknowledged')['trigger'] !== value) return undefined;
      const { phase, state } = await workflow.query(messages.describe);
      seen = JSON.stringify({ phase, step: state.step, failure: state.failure });
      return phase === 'Ready' && state.step === undefined && !state.lookAgain ? true : undefined;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}; it is ${seen}`, { cause: error });
  }
}
