import { describe, expect, test } from 'vitest';

import type { ComponentKind } from '../../../domain/api/component-ref.ts';
import { destinationOf } from '../../../domain/api/destination.ts';

const profile = { name: 'edge-1', namespace: 'fleet' };
const resource = (spec: unknown) => ({ metadata: { name: 'knative', namespace: 'team-a' }, spec });

describe('destinationOf', () => {
  test.each<{ what: string; kind: ComponentKind; spec: unknown; expected: unknown }>([
    { what: 'no spec', kind: 'KnativeServing', spec: undefined, expected: { installNamespace: 'team-a' } },
    { what: 'no destination', kind: 'KnativeEventing', spec: {}, expected: { installNamespace: 'team-a' } },
    {
      what: 'a destination with a namespace',
      kind: 'KnativeServing',
      spec: { destination: { clusterProfileRef: profile, namespace: 'kn' } },
      expected: { profile, installNamespace: 'kn' },
    },
    {
      what: 'a destination whose namespace was not filled in',
      kind: 'KnativeEventing',
      spec: { destination: { clusterProfileRef: profile } },
      expected: { profile, installNamespace: 'knative-eventing' },
    },
    {
      what: 'the field of 1.22 on Serving',
      kind: 'KnativeServing',
      spec: { clusterProfileRef: profile },
      expected: { profile, installNamespace: 'knative-serving' },
    },
    {
      what: 'the field of 1.22 on Eventing',
      kind: 'KnativeEventing',
      spec: { clusterProfileRef: profile },
      expected: { profile, installNamespace: 'knative-eventing' },
    },
  ])('reads $what', ({ kind, spec, expected }) => {
    expect(destinationOf(kind, resource(spec))).toEqual(expected);
  });

  test.each([
    { destination: {} },
    { destination: { clusterProfileRef: { name: 'edge-1' } } },
    { clusterProfileRef: { namespace: 'fleet' } },
  ])('never takes %j for the local cluster', (spec) => {
    expect(() => destinationOf('KnativeServing', resource(spec))).toThrow(
      expect.objectContaining({ kind: 'SpecInvalid', message: expect.stringContaining('team-a/knative') }),
    );
  });
});
