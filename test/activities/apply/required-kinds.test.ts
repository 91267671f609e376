import { describe, expect, test } from 'vitest';

import { requireKinds } from '../../../activities/apply/required-kinds.ts';
import type { ClusterClient } from '../../../adapters/kubernetes/cluster-client.ts';
import { keyOf } from '../../../domain/manifests/object.ts';
import { yamlObject } from '../../support/rendering.ts';

const crd = yamlObject(
  '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.a.test}, spec: {group: a.test, names: {kind: Widget}, versions: [{name: v1, served: true}, {name: v0, served: false}]}}',
);
const widget = (version: string) =>
  yamlObject(`{apiVersion: a.test/${version}, kind: Widget, metadata: {name: w}}`);
const gateway = yamlObject(
  '{apiVersion: networking.istio.io/v1beta1, kind: Gateway, metadata: {name: g, namespace: n}}',
);
const origins = new Map([[keyOf(gateway), 'istio']]);

/** Serves CustomResourceDefinitions and these kinds. */
function serving(...kinds: readonly string[]): ClusterClient {
  const client = {
    server: 'https://spoke.test',
    serves: async (apiVersion: string, kind: string) =>
      kind === 'CustomResourceDefinition' || kinds.includes(`${apiVersion}/${kind}`),
  };
  return client as unknown as ClusterClient;
}

describe('requireKinds', () => {
  test('names kind, group and plug-in of the first object that cannot be sent', async () => {
    await expect(requireKinds(serving(), { objects: [crd, gateway], origins })).rejects.toMatchObject({
      kind: 'KindUnavailable',
      message:
        'please install istio or disable the istio ingress plugin: no matches for kind "Gateway" in version ' +
        '"networking.istio.io/v1beta1" on https://spoke.test (Gateway of group networking.istio.io)',
    });
  });

  test('takes for granted what one of the objects defines, in the versions that it serves', async () => {
    const client = serving('networking.istio.io/v1beta1/Gateway');
    await expect(
      requireKinds(client, { objects: [widget('v1'), crd, gateway], origins }),
    ).resolves.toBeUndefined();
    await expect(requireKinds(client, { objects: [widget('v0'), crd], origins })).rejects.toMatchObject({
      message:
        'no matches for kind "Widget" in version "a.test/v0" on https://spoke.test (Widget of group a.test)',
    });
  });
});
