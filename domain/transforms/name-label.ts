import { componentApi } from '../api/component-ref.ts';
import { setAt } from '../manifests/edit.ts';
import type { Transform } from '../manifests/transform.ts';

/** Labels every object with its component, which is how it is found again on the cluster. Pod templates stay. */
export const nameLabel: Transform = (object, { kind }) =>
  setAt(object, ['metadata', 'labels', 'app.kubernetes.io/name'], componentApi[kind].nameLabel);
