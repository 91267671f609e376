import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { kubectl } from '../../../dev/control-plane/kubectl.ts';
import { recordAt, stringAt } from '../../../domain/manifests/object.ts';
import { asStatus, isTrue } from '../../../domain/status/status-change.ts';
import { auditEvents } from '../../support/audit-events.ts';
import {
  applyComponent,
  sampleReleases,
  servingOn,
  startOperatorFleet,
  untilReady,
} from '../../support/operator-fleet.ts';
import type { OperatorFleet } from '../../support/operator-fleet.ts';

describe('an edit of a resource that is Ready', () => {
  let scene: OperatorFleet;

  beforeAll(async () => {
    scene = await startOperatorFleet({ spokes: 1, releases: sampleReleases.root, auditedUsers: ['admin'] });
  });

  afterAll(async () => {
    await scene?.stop();
  });

  const serving = (version: string) => {
    const [spoke] = scene.fleet.spokes;
    if (spoke === undefined) throw new Error('a spoke is needed');
    return servingOn(spoke, { version });
  };

  /** What each status said that was Ready and about the newest generation: what was wanted and what was there. */
  async function readyReports(): Promise<readonly { wanted: string; there: string }[]> {
    const writes = (await auditEvents(scene.fleet.hub)).filter(
      ({ objectRef }) => objectRef?.resource === 'knativeservings' && objectRef.subresource === 'status',
    );
    return writes.flatMap(({ responseObject = {} }) => {
      const status = asStatus(recordAt(responseObject, 'status'));
      const { generation } = recordAt(responseObject, 'metadata');
      if (!isTrue(status, 'Ready') || status.observedGeneration !== generation) return [];
      const wanted = stringAt(responseObject, 'spec', 'version') ?? '';
      return [{ wanted, there: stringAt(responseObject, 'status', 'version') ?? '' }];
    });
  }

  test('is never shown as Ready before it is installed, so that kubectl wait waits for it', async () => {
    const { hub } = scene.fleet;
    await applyComponent(hub, serving('1.21.0'));
    await untilReady(hub, serving('1.21.0'));
    await applyComponent(hub, serving('1.22.1'));
    const { kind, name, namespace } = serving('1.22.1');
    const target = [`${kind}/${name}`, '-n', namespace];
    await kubectl(hub, ['wait', ...target, '--for=condition=Ready', '--timeout=120s']);
    expect(await kubectl(hub, ['get', ...target, '-o', 'jsonpath={.status.version}'])).toBe('1.22.1');
    const reports = await readyReports();
    expect(new Set(reports.map(({ wanted }) => wanted))).toEqual(new Set(['1.21.0', '1.22.1']));
    expect(reports.filter(({ wanted, there }) => wanted !== there)).toEqual([]);
  });
});
