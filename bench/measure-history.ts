import { Client, Connection } from '@temporalio/client';

import { componentWorkflowId } from '../workflows/component-workflow-id.ts';
import type { BenchComponent } from './bench-components.ts';
import { resourceNamespace } from './bench-components.ts';
import type { BenchGround } from './bench-ground.ts';
import { removeResource, resourceOf, untilReady } from './measure-operator.ts';

/** What an install left in Temporal. */
export interface InstallHistory {
  readonly objects: number;
  /** From the start of the workflow until Ready. */
  readonly events: number;
}

/** Installs a component and counts the events of its workflow when it is Ready. */
export async function measureHistory(
  ground: BenchGround,
  component: BenchComponent,
  objects: number,
): Promise<InstallHistory> {
  const ref = resourceOf(component);
  await ground.hub.create(component.object);
  await untilReady(ground.hub, ref);
  const events = await eventsOf(ground, component);
  await removeResource(ground.hub, ref);
  return { objects, events };
}

async function eventsOf({ temporal }: BenchGround, component: BenchComponent): Promise<number> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    const { kind, name } = component;
    const id = componentWorkflowId({ kind, namespace: resourceNamespace, name }, '');
    return (await client.workflow.getHandle(id).describe()).historyLength;
  } finally {
    await connection.close();
  }
}
