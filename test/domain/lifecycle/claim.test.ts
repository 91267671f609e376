import { describe, expect, test } from 'vitest';

import type { ClaimRecord, ClaimVerdict } from '../../../domain/lifecycle/claim.ts';
import { judgeClaim } from '../../../domain/lifecycle/claim.ts';

const wanted: ClaimRecord = {
  hubId: '',
  hubClusterUID: 'hub-1',
  component: 'KnativeServing/team/serving',
  uid: 'uid-1',
  installNamespace: 'knative-serving',
  anchorUID: '',
  state: 'Owned',
};

const cases: readonly (readonly [string, Partial<ClaimRecord>, ClaimVerdict])[] = [
  ['renews its own', {}, 'mine'],
  ['renews its own after the anchor was made again', { anchorUID: 'anchor-1' }, 'mine'],
  ['renews its own while it finalizes', { state: 'Finalizing' }, 'mine'],
  ['takes over from an earlier resource of the same name', { uid: 'uid-0' }, 'takeOver'],
  [
    'asks whether the cleanup of an earlier resource still runs',
    { uid: 'uid-0', state: 'Finalizing' },
    'askOwner',
  ],
  [
    'asks whether another component of the same hub exists',
    { uid: 'uid-2', component: 'KnativeServing/b/c' },
    'askOwner',
  ],
  ['leaves another hub alone', { uid: 'uid-2', hubClusterUID: 'hub-2' }, 'conflict'],
  ['leaves a clone of the hub alone', { uid: 'uid-2', hubId: 'blue' }, 'conflict'],
  ['leaves a clone alone even where the UID was restored with it', { hubId: 'blue' }, 'conflict'],
  ['leaves a component of the same name on another hub alone', { hubClusterUID: 'hub-2' }, 'conflict'],
  [
    'takes over what was retained',
    { uid: 'uid-2', component: 'KnativeServing/b/c', state: 'Retained' },
    'takeOver',
  ],
  [
    'takes over what another hub retained',
    { uid: 'uid-2', hubClusterUID: 'hub-2', state: 'Retained' },
    'takeOver',
  ],
];

describe('judgeClaim', () => {
  test.each(cases)('%s', (_name, held, verdict) => {
    expect(judgeClaim({ ...wanted, ...held }, wanted)).toBe(verdict);
  });
});
