import { describe, expect, test } from 'vitest';

import { parseComponentArgument, parseTargetArgument } from '../../cli/component-argument.ts';

describe('parseComponentArgument', () => {
  test.each([
    ['KnativeServing/platform/serving', 'KnativeServing', 'platform', 'serving'],
    ['knativeservings/a/b', 'KnativeServing', 'a', 'b'],
    ['serving/a/b', 'KnativeServing', 'a', 'b'],
    ['EVENTING/a/b', 'KnativeEventing', 'a', 'b'],
    ['eventing/b', 'KnativeEventing', 'of-context', 'b'],
  ])('reads %s', (text, kind, namespace, name) => {
    expect(parseComponentArgument(text, () => 'of-context')).toEqual({ kind, namespace, name });
  });

  test.each(['', 'serving', 'serving/', 'serving//b', 'serving/a/', 'serving/a/b/c', 'deployment/a/b'])(
    'refuses %j with an example',
    (text) => {
      expect(() => parseComponentArgument(text, () => 'n')).toThrow(/write KIND\/NAMESPACE\/NAME, such as/);
    },
  );
});

describe('parseTargetArgument', () => {
  test('reads a ClusterProfile, and local as the hub itself', () => {
    expect(parseTargetArgument('fleet/spoke-1')).toEqual({ namespace: 'fleet', name: 'spoke-1' });
    expect(parseTargetArgument('local')).toBeUndefined();
  });

  test.each(['', 'spoke-1', 'a/b/c', '/b'])('refuses %j', (text) => {
    expect(() => parseTargetArgument(text)).toThrow(/NAMESPACE\/NAME of a ClusterProfile, or local/);
  });
});
