import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { parseClusterProfile } from '../../../domain/api/cluster-profile.ts';

describe('parseClusterProfile', () => {
  test('reads conditions and both lists of access providers', () => {
    const profile = parseClusterProfile(
      parse(`
        apiVersion: multicluster.x-k8s.io/v1alpha1
        kind: ClusterProfile
        metadata: {name: edge-1, namespace: fleet, uid: u1, resourceVersion: "7"}
        spec: {clusterManager: {name: m}}
        status:
          conditions: [{type: ControlPlaneHealthy, status: "True", reason: Ok, lastTransitionTime: now}]
          version: {kubernetes: v1.35.4}
          accessProviders:
          - name: secretreader
            cluster:
              server: https://10.0.0.1
              certificate-authority-data: Q0E=
              tls-server-name: api
              futureField: 1
              extensions: [{name: client.authentication.k8s.io/exec, extension: {clusterName: c1}}]
          credentialProviders:
          - name: old
      `),
    );
    expect(profile.status.conditions[0]).toEqual({
      type: 'ControlPlaneHealthy',
      status: 'True',
      reason: 'Ok',
      message: '',
    });
    expect(profile.status.accessProviders[0]).toEqual({
      name: 'secretreader',
      cluster: {
        server: 'https://10.0.0.1',
        'certificate-authority-data': 'Q0E=',
        'tls-server-name': 'api',
        extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { clusterName: 'c1' } }],
      },
    });
    expect(profile.status.credentialProviders).toEqual([{ name: 'old' }]);
  });

  test.each([
    ['without status', {}],
    ['with an empty status', { status: {} }],
    ['with null lists', { status: { conditions: null, accessProviders: null, credentialProviders: null } }],
  ])('reads a profile %s as one that nobody reports on', (_what, more) => {
    const profile = parseClusterProfile({ metadata: { name: 'a', namespace: 'b' }, ...more });
    expect(profile.status).toMatchObject({ conditions: [], accessProviders: [], credentialProviders: [] });
  });

  test('names the profile and the field when it cannot be read', () => {
    const broken = {
      metadata: { name: 'a', namespace: 'b' },
      status: { accessProviders: [{ cluster: { server: 3 } }] },
    };
    expect(() => parseClusterProfile(broken)).toThrow(
      expect.objectContaining({
        kind: 'ClusterProfileUnavailable',
        message: expect.stringMatching(/ClusterProfile b\/a .*status\.accessProviders\[0\]\.cluster\.server/),
      }),
    );
  });
});
