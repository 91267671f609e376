import { describe, expect, test } from 'vitest';

import { hasLiveEnvironment, withLiveEnvironment } from '../../../domain/manifests/live-environment.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';
import { containersOf } from '../../../domain/manifests/pod-template.ts';
import { deployment } from '../../support/rendering.ts';

const wanted = deployment(
  'pingsource-mt-adapter',
  'containers: [{name: a, image: new, env: [{name: X, value: "1"}, {name: P}]}, {name: b, env: [{name: Y, value: "1"}]}]',
);
const running = deployment(
  'pingsource-mt-adapter',
  'containers: [{name: a, image: old, env: [{name: Q, value: "2"}, {name: X, value: "2"}]}, {name: b, env: []}]',
);
const owning = (manager: string, container: string): ManifestObject => {
  const containers = { [`k:{"name":"${container}"}`]: { 'f:env': {} } };
  const fieldsV1 = { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': containers } } } };
  return { ...running, metadata: { ...running.metadata, managedFields: [{ manager, fieldsV1 }] } };
};
const isController = (manager: string): boolean => manager === 'controller';

describe('withLiveEnvironment', () => {
  test('takes the whole environment as it is where a controller owns a part of it, and nothing else', () => {
    const sent = withLiveEnvironment(wanted, owning('controller', 'a'), isController);
    expect(containersOf(sent)).toEqual([
      { name: 'a', image: 'new', env: containersOf(running)[0]?.['env'] },
      containersOf(wanted)[1],
    ]);
  });

  test('leaves an environment out that a controller has emptied', () => {
    const sent = withLiveEnvironment(wanted, owning('controller', 'b'), isController);
    expect(containersOf(sent)[1]).toEqual({ name: 'b' });
  });

  test('sends the wanted environment while only managers that yield have written it', () => {
    expect(withLiveEnvironment(wanted, owning('knative-fleet', 'a'), isController)).toBe(wanted);
  });
});

test('only the ping adapter has an environment that a controller replaces', () => {
  expect(hasLiveEnvironment(wanted)).toBe(true);
  expect(hasLiveEnvironment(deployment('controller'))).toBe(false);
});
