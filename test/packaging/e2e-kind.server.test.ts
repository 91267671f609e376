import { access, constants, readdir, readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import { kubectl } from '../../dev/control-plane/kubectl.ts';
import { renderChart } from '../../dev/helm/render-chart.ts';
import { prepareHub } from '../../dev/operator/prepare-hub.ts';
import { runCommand } from '../../dev/processes/run-command.ts';
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import { chartObjects } from '../support/chart-objects.ts';
import { installForeignKinds } from '../support/foreign-kinds.ts';

const folder = new URL('../e2e-kind/', import.meta.url);
const names = await readdir(folder);
const scripts = names.filter((name) => name.endsWith('.sh'));
const manifests = await readdir(new URL('manifests/', folder));
const manifest = async (name: string): Promise<string> =>
  (await read(`manifests/${name}`)).replaceAll('SPOKE', 'fleet-spoke-1');
const read = (path: string): Promise<string> => readFile(new URL(path, folder), 'utf8');

describe('the scripts for kind', () => {
  test.each(scripts)('%s has the syntax of bash, and can be started', async (name) => {
    expect(await runCommand('bash', ['-n', new URL(name, folder).pathname])).toBe('');
    if (name !== 'environment.sh') await access(new URL(name, folder), constants.X_OK);
  });

  test('run.sh starts every step, and every file that is named is there', async () => {
    const steps = scripts.filter((name) => /^\d-/.test(name)).map((name) => Number(name[0]));
    expect(new Set(steps)).toEqual(new Set(steps.map((_, index) => index + 1)));
    for (const name of scripts) {
      for (const [, base = '', path = ''] of (await read(name)).matchAll(/\$(here|root)\/([\w./-]+)/g)) {
        if (path === '..') continue;
        await access(new URL(base === 'here' ? path : `../../${path}`, folder));
      }
    }
  });
});

describe('the manifests for kind', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet({ spokes: 0, controllers: false });
    await prepareHub(fleet.hub);
    const texts = await Promise.all(manifests.map(manifest));
    await installForeignKinds(fleet.hub, texts.flatMap(chartObjects));
  });

  afterAll(async () => {
    await fleet?.stop();
  });

  test.each(manifests)('%s is taken by a real API server', async (name) => {
    const text = await manifest(name);
    const objects = chartObjects(text);
    expect(objects.length).toBeGreaterThan(0);
    const answer = await kubectl(
      fleet.hub,
      ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'],
      text,
    );
    expect(answer.trim().split('\n')).toHaveLength(objects.length);
  });

  test('the values for the chart render what the API server takes', async () => {
    const values = parse(await read('operator-values.yaml')) as object;
    const text = await renderChart({ namespace: 'knative-operator', values });
    await installForeignKinds(fleet.hub, chartObjects(text));
    await kubectl(
      fleet.hub,
      ['apply', '--server-side', '--dry-run=server', '--force-conflicts', '-f', '-'],
      text,
    );
    expect(text).toContain('--managed-serviceaccount=knative-fleet');
  });

  test('Temporal gets the search attributes of this software', async () => {
    const text = await read('manifests/temporal.yaml');
    for (const [name, type] of Object.entries(searchAttributeTypes))
      expect(text).toContain(`--search-attribute=${name}=${type}`);
  });
});
