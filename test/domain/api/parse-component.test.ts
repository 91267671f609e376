import { describe, expect, expectTypeOf, test } from 'vitest';

import { parseComponent } from '../../../domain/api/parse-component.ts';

const serving = (spec: unknown, more: object = {}) => ({
  apiVersion: 'operator.knative.dev/v1beta1',
  kind: 'KnativeServing',
  metadata: { name: 'knative', namespace: 'team-a', uid: 'u1' },
  spec,
  ...more,
});

function refusal(run: () => unknown): { kind: string; message: string } {
  try {
    run();
  } catch (error) {
    return error as { kind: string; message: string };
  }
  throw new Error('was accepted');
}

describe('parseComponent', () => {
  test('returns the spec typed, with the defaults that the API server fills in', () => {
    const { spec } = parseComponent(
      'KnativeServing',
      serving({
        destination: { clusterProfileRef: { name: 'edge-1', namespace: 'fleet' } },
        workloads: [
          {
            name: 'activator',
            env: [{ container: 'c', envVars: [{ name: 'A', valueFrom: { secretKeyRef: { key: 'k' } } }] }],
          },
        ],
        deletion: { deadline: '72h' },
      }),
    );
    expect(spec).toMatchObject({
      destination: { namespace: 'knative-serving' },
      workloads: [{ env: [{ envVars: [{ valueFrom: { secretKeyRef: { key: 'k', name: '' } } }] }] }],
      deletion: { policy: 'Delete', deadline: '72h' },
    });
    expectTypeOf(spec?.paused).toEqualTypeOf<boolean | undefined>();
  });

  test('fills in the namespace of the kind for Eventing', () => {
    const { spec } = parseComponent('KnativeEventing', {
      ...serving({ destination: { clusterProfileRef: { name: 'edge-1', namespace: 'fleet' } } }),
      kind: 'KnativeEventing',
    });
    expect(spec?.destination?.namespace).toBe('knative-eventing');
  });

  test('accepts a resource without spec and one with fields that it does not know', () => {
    expect(parseComponent('KnativeServing', serving(undefined)).spec).toBeUndefined();
    expect(parseComponent('KnativeServing', serving({ futureField: 1, version: '1.22' })).spec).toEqual({
      version: '1.22',
    });
  });

  test('accepts one event source and an empty security section', () => {
    const eventing = { ...serving({ source: { kafka: { enabled: true } } }), kind: 'KnativeEventing' };
    expect(parseComponent('KnativeEventing', eventing).spec?.source).toEqual({ kafka: { enabled: true } });
    expect(parseComponent('KnativeServing', serving({ security: {} })).spec?.security).toEqual({});
  });

  test('ignores a status that makes no sense', () => {
    const { spec } = parseComponent('KnativeServing', serving({}, { status: { conditions: 'none' } }));
    expect(spec).toEqual({});
  });

  test('names the resource and every problem with its path', () => {
    const { kind, message } = refusal(() =>
      parseComponent(
        'KnativeServing',
        serving({
          'high-availability': { replicas: 'two' },
          workloads: [{ replicas: 2 }],
          destination: { clusterProfileRef: { name: 'Edge 1', namespace: 'fleet' }, namespace: 'a.b' },
          drift: { interval: '1s' },
        }),
      ),
    );
    expect(kind).toBe('SpecInvalid');
    for (const part of [
      'KnativeServing team-a/knative',
      'spec.high-availability.replicas: ',
      'spec.workloads[0].name: ',
      'spec.destination.clusterProfileRef.name: is not the name of a ClusterProfile',
      'spec.destination.namespace: is not a namespace name',
      'spec.drift.interval: must be 10s or longer',
    ]) {
      expect(message).toContain(part);
    }
  });

  test('refuses both spellings of the destination together', () => {
    const ref = { name: 'edge-1', namespace: 'fleet' };
    const both = serving({ destination: { clusterProfileRef: ref }, clusterProfileRef: ref });
    expect(refusal(() => parseComponent('KnativeServing', both)).message).toContain(
      'keep spec.destination only',
    );
  });

  test.each([undefined, null, 'text', {}, []])('refuses %j, which is no resource', (object) => {
    expect(refusal(() => parseComponent('KnativeServing', object)).kind).toBe('SpecInvalid');
  });
});
