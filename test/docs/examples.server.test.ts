import { readdir, readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { kubectl } from '../../dev/control-plane/kubectl.ts';
import type { Fleet } from '../../dev/control-plane/start-fleet.ts';
import { startFleet } from '../../dev/control-plane/start-fleet.ts';
import { renderChart } from '../../dev/helm/render-chart.ts';
import { installClusterProfileCrd } from '../../dev/operator/register-spoke.ts';
import { prepareHub } from '../../dev/operator/prepare-hub.ts';
import { chartObjects } from '../support/chart-objects.ts';
import { codeBlocks } from '../support/code-blocks.ts';
import { installForeignKinds } from '../support/foreign-kinds.ts';

interface Example {
  readonly page: string;
  readonly number: number;
  readonly text: string;
}

const docs = new URL('../../docs/', import.meta.url);
const pages = [...(await readdir(docs)).filter((name) => name.endsWith('.md')), '../README.md'];

async function examplesOf(page: string, language: string): Promise<readonly Example[]> {
  const blocks = codeBlocks(await readFile(new URL(page, docs), 'utf8'));
  return blocks
    .filter((block) => block.language === language)
    .map(({ text }, index) => ({ page, number: index + 1, text }));
}

const yaml = (await Promise.all(pages.map((page) => examplesOf(page, 'yaml')))).flat();
const json = (await Promise.all(pages.map((page) => examplesOf(page, 'json')))).flat();
const isManifest = ({ text }: Example): boolean => /^kind: /m.test(text);
/** A part of the status of a ClusterProfile: its access providers, or what stands in one of them. */
const isPart = ({ text }: Example): boolean => /^(- name|extensions):/.test(text);

describe('the examples in the documents', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet({ spokes: 0, controllers: false });
    await prepareHub(fleet.hub);
    await installClusterProfileCrd(fleet.hub);
    await installForeignKinds(
      fleet.hub,
      yaml.filter(isManifest).flatMap(({ text }) => chartObjects(text)),
    );
  });

  afterAll(async () => {
    await fleet?.stop();
  });

  test.each(yaml.filter(isManifest))(
    'manifest $number of $page is taken by a real API server',
    async ({ text }) => {
      const objects = chartObjects(text);
      const flags = ['--server-side', '--dry-run=server', '--validate=strict'];
      const answer = await kubectl(fleet.hub, ['apply', ...flags, '-f', '-'], text);
      expect(answer.trim().split('\n')).toHaveLength(objects.length);
    },
  );

  test.each(yaml.filter(isPart))('part $number of $page completes a ClusterProfile', async ({ text }) => {
    const part = parse(text) as object;
    const cluster = { server: 'https://spoke-1.example:6443', ...part };
    const profile = {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'ClusterProfile',
      metadata: { name: 'spoke-1', namespace: 'fleet' },
      spec: { displayName: 'spoke-1', clusterManager: { name: 'by-hand' } },
      status: { accessProviders: Array.isArray(part) ? part : [{ name: 'any', cluster }] },
    };
    const flags = ['--server-side', '--dry-run=server', '--validate=strict'];
    const answer = await kubectl(fleet.hub, ['apply', ...flags, '-f', '-'], JSON.stringify(profile));
    expect(answer).toContain('clusterprofile.multicluster.x-k8s.io/spoke-1');
  });

  test.each(yaml.filter((example) => !isManifest(example) && !isPart(example)))(
    'YAML $number of $page has values that the chart takes, and renders what an API server takes',
    async ({ text }) => {
      const rendered = await renderChart({ namespace: 'knative-operator', values: parse(text) as object });
      await installForeignKinds(fleet.hub, chartObjects(rendered));
      const flags = ['--server-side', '--dry-run=server', '--force-conflicts'];
      const answer = await kubectl(fleet.hub, ['apply', ...flags, '-f', '-'], rendered);
      expect(answer).toContain('deployment.apps/knative-fleet-worker serverside-applied');
    },
  );

  test.each(json)('JSON $number of $page can be read', ({ text }) => {
    expect(JSON.parse(text)).toBeTypeOf('object');
  });
});
