import { describe, expect, test } from 'vitest';

import { selectedSources } from '../../../domain/eventing/sources.ts';
import { eventingContext } from '../../support/rendering.ts';

describe('selectedSources', () => {
  test.each([
    ['{}', []],
    ['source: {}', []],
    ['source: {kafka: {enabled: true}}', ['kafka']],
    [
      'source: {redis: {enabled: true}, ceph: {enabled: true}, gitlab: {enabled: false}, github: {enabled: true}}',
      ['ceph', 'github', 'redis'],
    ],
    [
      'source: {redis: {enabled: true}, rabbitmq: {enabled: true}, kafka: {enabled: true}, gitlab: {enabled: true}, github: {enabled: true}, ceph: {enabled: true}}',
      ['ceph', 'github', 'gitlab', 'kafka', 'rabbitmq', 'redis'],
    ],
  ])('of spec %s are %o', (spec, names) => {
    expect(selectedSources(eventingContext(spec).spec.source)).toEqual(names);
  });
});
