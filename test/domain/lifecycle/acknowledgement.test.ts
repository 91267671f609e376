import { describe, expect, test } from 'vitest';

import type { Announcement, ResourceView } from '../../../domain/lifecycle/acknowledgement.ts';
import { announcementFor, forceCleanupReason } from '../../../domain/lifecycle/acknowledgement.ts';

const acknowledged: ResourceView = {
  uid: 'uid-1',
  generation: 2,
  deleting: false,
  finalizer: true,
  finalizing: false,
  commands: {},
  trigger: 'x',
  acknowledgedGeneration: 2,
  acknowledgedTrigger: 'x',
};

const cases: readonly (readonly [string, Partial<ResourceView>, Announcement])[] = [
  ['says nothing about acknowledged state', {}, 'none'],
  ['announces a newer generation', { generation: 3 }, 'changed'],
  [
    'announces a generation below the acknowledged one: the resource was restored',
    { generation: 1 },
    'changed',
  ],
  ['announces a resource whose status was lost', { acknowledgedGeneration: 0 }, 'changed'],
  ['announces a changed trigger', { trigger: 'y' }, 'nudge'],
  ['announces a trigger that was removed', { trigger: '' }, 'nudge'],
  ['announces the generation first', { generation: 3, trigger: 'y' }, 'changed'],
  ['announces a deletion until the workflow shows it', { deleting: true, generation: 3 }, 'deleted'],
  ['says nothing once the deletion is shown', { deleting: true, finalizing: true, generation: 3 }, 'none'],
  ['says nothing about a deletion that is not ours to serve', { deleting: true, finalizer: false }, 'none'],
];

describe('announcementFor', () => {
  test.each(cases)('%s', (_name, view, announcement) => {
    expect(announcementFor({ ...acknowledged, ...view })).toBe(announcement);
  });
});

describe('forceCleanupReason', () => {
  test.each([
    ['uid-1: spoke is lost', 'spoke is lost'],
    ['uid-1:spoke is lost ', 'spoke is lost'],
    ['uid-1: a: b', 'a: b'],
    ['uid-1:', ''],
    ['uid-2: spoke is lost', undefined],
    ['uid-10: spoke is lost', undefined],
    ['uid-1', undefined],
    ['spoke is lost', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j for the resource uid-1', (annotation, reason) => {
    expect(forceCleanupReason(annotation, 'uid-1')).toBe(reason);
  });
});
