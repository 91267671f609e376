import { setAt } from '../manifests/edit.ts';
import type { Transform } from '../manifests/transform.ts';

/** Gives every namespaced object the one owner, in place of any other; cluster-scoped objects have none. */
export const owner: Transform = (object, context) =>
  (object.metadata.namespace ?? '') === ''
    ? object
    : setAt(
        object,
        ['metadata', 'ownerReferences'],
        [{ ...context.owner, controller: true, blockOwnerDeletion: true }],
      );
