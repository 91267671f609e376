import { randomUUID } from 'node:crypto';

import { expect, inject, test } from 'vitest';

import { ensureNamespace } from '../../../dev/operator/prepare-hub.ts';
import { kubectl } from '../../../dev/control-plane/kubectl.ts';

test('a namespace that several ask for at once is there for all of them', async () => {
  const { hub } = inject('fleet');
  const name = `wanted-${randomUUID().slice(0, 8)}`;
  await Promise.all(Array.from({ length: 8 }, () => ensureNamespace(hub, name)));
  expect(await kubectl(hub, ['get', 'namespace', name, '-o', 'name'])).toBe(`namespace/${name}\n`);
});
