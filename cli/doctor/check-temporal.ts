import type { Client } from '@temporalio/client';

import {
  checkSearchAttributes,
  registerSearchAttributes,
  registrationCommand,
} from '../../adapters/temporal/search-attributes.ts';
import { messageOf } from '../../domain/errors.ts';
import { taskQueues } from '../../workflows/activity-options.ts';
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import type { Session } from '../session.ts';
import type { Finding } from './finding.ts';
import { finding, ok, problem, skipped } from './finding.ts';

/** Whether Temporal answers, has the namespace and its search attributes, and whether workers take their tasks. */
export async function checkTemporal(session: Session, fix: boolean): Promise<readonly Finding[]> {
  const settings = await session.temporalSettings();
  const subject = { check: 'temporal.connection', object: settings.address };
  let client: Client;
  try {
    client = await session.temporal();
  } catch (error) {
    const advice = 'start Temporal, or correct TEMPORAL_ADDRESS, TLS and API key of the profile';
    return [
      problem(subject, messageOf(error), advice),
      skipped({ check: 'temporal.namespace', object: settings.namespace }, 'Temporal does not answer'),
    ];
  }
  const attributes = await searchAttributes(client, fix);
  const namespaceMissing = attributes.check === 'temporal.namespace';
  return [
    ok(subject, 'answers'),
    attributes,
    ...(namespaceMissing
      ? []
      : await Promise.all(Object.values(taskQueues).map((queue) => poller(client, queue)))),
  ];
}

async function searchAttributes(client: Client, fix: boolean): Promise<Finding> {
  const { namespace } = client.options;
  const subject = { check: 'temporal.search-attributes', object: namespace };
  const wanted = searchAttributeTypes;
  const all = `all ${String(Object.keys(wanted).length)} are registered`;
  return finding(subject, 'see that these credentials may read the namespace', async () => {
    const found = await checkSearchAttributes(client.connection, namespace, wanted);
    switch (found.state) {
      case 'registered':
        return ok(subject, all);
      case 'unknown':
        return skipped(subject, `the server does not say: ${found.why}`);
      case 'no-namespace':
        return problem(
          { ...subject, check: 'temporal.namespace' },
          'does not exist',
          `set TEMPORAL_NAMESPACE, or run: temporal operator namespace create --namespace ${namespace} --retention 168h`,
        );
      case 'wrong-type':
        return problem(subject, found.problems.join('; '), 'use a namespace of its own for this software');
      case 'missing': {
        const names = Object.keys(found.missing).join(', ');
        const command = registrationCommand(namespace, found.missing);
        if (!fix) {
          return problem(subject, `missing: ${names}`, `run: knative-fleet doctor --fix, or: ${command}`);
        }
        await registerSearchAttributes(client.connection, namespace, found.missing);
        return { ...subject, state: 'fixed', what: `registered ${names}`, fix: null };
      }
    }
  });
}

const workflowQueue = 1;
const activityQueue = 2;

/** Whether anybody takes the tasks of a queue; Temporal forgets a poller after five minutes. */
async function poller(client: Client, queue: string): Promise<Finding> {
  const subject = { check: 'temporal.workers', object: queue };
  return finding(subject, 'see that these credentials may describe task queues', async () => {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: queue },
      taskQueueType: queue === taskQueues.workflows ? workflowQueue : activityQueue,
    });
    const count = pollers?.length ?? 0;
    if (count > 0) return ok(subject, `${String(count)} pollers`);
    const advice = 'start a worker with this Temporal address and namespace, and read its first log lines';
    return problem(subject, 'no worker takes tasks here: nothing moves', advice);
  });
}
