import { describe, expect, test } from 'vitest';

import { applyObject } from '../../../adapters/kubernetes/apply-object.ts';
import type {
  ApplyOptions,
  ClusterClient,
  FieldConflict,
} from '../../../adapters/kubernetes/cluster-client.ts';
import { FieldConflicts } from '../../../adapters/kubernetes/field-conflicts.ts';
import { OperatorError } from '../../../domain/errors.ts';
import type { ManifestObject } from '../../../domain/manifests/object.ts';

const webhooks: ManifestObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: [
    { name: 'a.example', rules: [1] },
    { name: 'b.example', rules: [2] },
  ],
};
const ceded = ['webhooks[].rules'];
const rulesOf = (name: string, manager: string): FieldConflict => ({
  field: `.webhooks[name="${name}"].rules`,
  manager,
});

/** Refuses with these conflicts in turn, then takes everything. */
function refusing(...refusals: readonly (readonly FieldConflict[])[]) {
  const calls: { body: ManifestObject; force: boolean | undefined }[] = [];
  const client = {
    apply(object: ManifestObject, options: ApplyOptions) {
      const conflicts = refusals[calls.length];
      calls.push({ body: object, force: options.force });
      if (conflicts === undefined || options.force === true) {
        return Promise.resolve({ object: { ...object, metadata: { uid: 'u' } }, created: false });
      }
      return Promise.reject(
        new OperatorError('ApplyConflict', 'owned', { cause: new FieldConflicts(conflicts) }),
      );
    },
  } as unknown as ClusterClient;
  return { client, calls };
}

describe('applyObject', () => {
  test('sends one request without force when nobody objects', async () => {
    const { client, calls } = refusing();
    await expect(applyObject(client, webhooks, { ceded })).resolves.toEqual({
      created: false,
      metadata: { uid: 'u' },
      ceded: [],
    });
    expect(calls).toEqual([{ body: webhooks, force: false }]);
  });

  test('gives up exactly the ceded field that another manager owns, and keeps the same field elsewhere', async () => {
    const { client, calls } = refusing([rulesOf('b.example', 'webhook')]);
    const applied = await applyObject(client, webhooks, { ceded });
    expect(applied.ceded).toEqual(['.webhooks[name="b.example"].rules']);
    expect(calls[1]?.force).toBe(false);
    expect(calls[1]?.body['webhooks']).toEqual([{ name: 'a.example', rules: [1] }, { name: 'b.example' }]);
  });

  test.each(['manifestival', 'operator', 'kubectl', 'kubectl-client-side-apply', 'before-first-apply'])(
    'takes a field from %s, ceded or not',
    async (manager) => {
      const { client, calls } = refusing([
        rulesOf('a.example', manager),
        { field: '.metadata.labels.x', manager },
      ]);
      await applyObject(client, webhooks, { ceded });
      expect(calls).toEqual([
        { body: webhooks, force: false },
        { body: webhooks, force: true },
      ]);
    },
  );

  test('first gives up, then takes, when both are needed', async () => {
    const label = { field: '.metadata.labels.x', manager: 'manifestival' };
    const { client, calls } = refusing([rulesOf('a.example', 'webhook'), label], [label]);
    await applyObject(client, webhooks, { ceded });
    expect(calls.map(({ force }) => force)).toEqual([false, false, true]);
    expect(calls[2]?.body['webhooks']).toEqual([{ name: 'a.example' }, { name: 'b.example', rules: [2] }]);
  });

  test('takes nothing from anybody else', async () => {
    const { client, calls } = refusing([
      rulesOf('a.example', 'webhook'),
      { field: '.metadata.labels.x', manager: 'helm' },
    ]);
    await expect(applyObject(client, webhooks, { ceded })).rejects.toMatchObject({ kind: 'ApplyConflict' });
    expect(calls).toHaveLength(1);
  });

  test('takes back what the last apply owned, from whoever took it', async () => {
    const recorded = { 'f:metadata': { 'f:labels': { 'f:x': {} } } };
    const label = { field: '.metadata.labels.x', manager: 'helm' };
    const { client, calls } = refusing([label]);
    await applyObject(client, webhooks, { ceded, recorded });
    expect(calls.map(({ force }) => force)).toEqual([false, true]);

    const other = refusing([label, { field: '.metadata.labels.y', manager: 'helm' }]);
    const refused = applyObject(other.client, webhooks, { ceded, recorded });
    await expect(refused).rejects.toMatchObject({ kind: 'ApplyConflict' });
  });

  test('ends when giving up does not help', async () => {
    const conflict = [rulesOf('z.example', 'webhook')];
    const { client, calls } = refusing(conflict, conflict, conflict);
    await expect(applyObject(client, webhooks, { ceded })).rejects.toMatchObject({ kind: 'ApplyConflict' });
    expect(calls).toHaveLength(1);
  });

  test('passes on any other failure', async () => {
    const failure = new OperatorError('ApplyRejected', 'no');
    const client = { apply: () => Promise.reject(failure) } as unknown as ClusterClient;
    await expect(applyObject(client, webhooks, { ceded })).rejects.toBe(failure);
  });
});
