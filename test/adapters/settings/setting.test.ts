import { describe, expect, test } from 'vitest';

import { parseStarterConfig } from '../../../starter/config.ts';
import { parseWorkerConfig } from '../../../worker/config.ts';

const worker = (
  environment: Record<string, string>,
  args: readonly string[] = [],
  warn: (text: string) => void = () => {},
) => parseWorkerConfig({ environment, args }, warn);

describe('the configuration', () => {
  test('has defaults for everything that must have a value, and listens on loopback only', () => {
    expect(worker({})).toMatchObject({
      operatorNamespace: 'knative-operator',
      pollIntervalMs: 10_000,
      shutdownGraceMs: 20_000,
      releasesDownload: false,
      manifestUrlPrefixes: [],
      operationsAddress: { host: '127.0.0.1', port: 9464 },
    });
    expect(worker({}).providerFile).toBeUndefined();
    expect(parseStarterConfig({ environment: {}, args: [] })).toMatchObject({
      leaderElection: true,
      leaseMs: 15_000,
      sweepIntervalMs: 30_000,
      operationsAddress: { host: '127.0.0.1', port: 9465 },
    });
  });

  test('lists every problem at once', () => {
    const environment = { LOG_LEVEL: 'loud', METRICS_BIND_ADDRESS: 'everywhere', RELEASES_DOWNLOAD: 'yes' };
    const read = () => worker(environment, ['--unknown', 'x', '--remote-deployments-poll-interval=soon']);
    for (const text of [
      'LOG_LEVEL: must be debug, info, warn or error',
      'METRICS_BIND_ADDRESS: must be host:port',
      'RELEASES_DOWNLOAD: must be true or false',
      '--unknown: is not a flag; known are --kubeconfig',
      'REMOTE_DEPLOYMENTS_POLL_INTERVAL: is not a duration',
    ])
      expect(read).toThrow(text);
  });

  test('prefers a flag to its variable and takes an empty variable as unset', () => {
    const environment = { CLUSTERPROFILE_PROVIDER_FILE: '/from/environment', OPERATOR_NAMESPACE: '' };
    const config = worker(environment, ['--clusterprofile-provider-file', '/from/flag']);
    expect(config.providerFile).toBe('/from/flag');
    expect(config.operatorNamespace).toBe('knative-operator');
    expect(() => worker({}, ['--kubeconfig'])).toThrow('--kubeconfig: needs a value');
  });

  test('reads durations as Go does, and a poll interval below a second as the default with a warning', () => {
    expect(worker({ REMOTE_DEPLOYMENTS_POLL_INTERVAL: '1m30s' }).pollIntervalMs).toBe(90_000);
    const warnings: string[] = [];
    const config = worker({}, ['--remote-deployments-poll-interval=500ms'], (text) => warnings.push(text));
    expect(config.pollIntervalMs).toBe(10_000);
    expect(warnings).toEqual(['remote deployments poll interval 500ms is below 1s; 10s is used']);
  });

  test.each([
    ['0.0.0.0:8080', { host: '0.0.0.0', port: 8080 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['off', undefined],
  ])('reads the address %s', (text, address) => {
    expect(worker({ METRICS_BIND_ADDRESS: text }).operationsAddress).toEqual(address);
  });

  test.each(['8080', ':8080', '127.0.0.1:99999', '::1:8080'])('refuses the address %s', (text) => {
    expect(() => worker({ METRICS_BIND_ADDRESS: text })).toThrow('METRICS_BIND_ADDRESS: must be host:port');
  });
});
