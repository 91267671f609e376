import { Client, Connection } from '@temporalio/client';

import { settledLength } from '../dev/temporal/settled-length.ts';
import { mostEventsADay } from '../domain/lifecycle/idle-intervals.ts';
import { componentWorkflowId } from '../workflows/component-workflow-id.ts';
import * as messages from '../workflows/messages.ts';
import { observerWorkflowId } from '../workflows/observer-workflow-id.ts';
import type { BenchComponent } from './bench-components.ts';
import { resourceNamespace } from './bench-components.ts';
import type { BenchGround } from './bench-ground.ts';
import { removeResource, resourceOf, untilReady } from './measure-operator.ts';

/** What an install left in Temporal. */
export interface InstallHistory {
  readonly objects: number;
  /** From the start of the workflow to the end of the pass that made it Ready. */
  readonly events: number;
  readonly idle: IdleHistory;
}

/** What being idle adds. */
export interface IdleHistory {
  /** Of one comparison that a timer asks for. */
  readonly comparison: number;
  /** Of one observation, which all components on a target share. */
  readonly observation: number;
  /** At most, an observer of its own included. */
  readonly perDay: number;
}

/** The observer's own start and end: started, the first task of three, completed. */
const eventsAroundObservation = 5;
/** A signal is one event more than the timer in its place. */
const eventsOfSignal = 1;

const rest = { restMs: 2_000, withinMs: 60_000 };

/** Installs a component, counts events of its workflow, lets it compare once, removes it, and counts its observer's. */
export async function measureHistory(
  ground: BenchGround,
  component: BenchComponent,
  objects: number,
): Promise<InstallHistory> {
  const ref = resourceOf(component);
  const connection = await Connection.connect({ address: ground.temporal.address });
  try {
    const client = new Client({ connection, namespace: ground.temporal.namespace });
    const { kind, name } = component;
    const id = componentWorkflowId({ kind, namespace: resourceNamespace, name }, '');
    const workflow = client.workflow.getHandle(id);
    await ground.hub.create(component.object);
    await untilReady(ground.hub, ref);
    // At the moment that Ready can be seen the pass may have a task or two to go.
    const events = await settledLength(workflow, rest);
    await workflow.signal(messages.healthChanged);
    const comparison = (await settledLength(workflow, rest)) - events - eventsOfSignal;
    const { profile } = ground;
    const target = `${profile.namespace}/${profile.name}`;
    const observer = client.workflow.getHandle(observerWorkflowId(target, ''));
    await removeResource(ground.hub, ref);
    await observer.result();
    const observation = (await observer.describe()).historyLength - eventsAroundObservation;
    const perDay = mostEventsADay({ comparison, observation });
    return { objects, events, idle: { comparison, observation, perDay } };
  } finally {
    await connection.close();
  }
}
