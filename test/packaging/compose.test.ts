import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { starterSettings } from '../../starter/config.ts';
import { workerSettings } from '../../worker/config.ts';

const root = resolve(import.meta.dirname, '../..');
const compose = spawnSync('docker-compose', ['version'], { encoding: 'utf8' });

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
}

const file = readFileSync(resolve(root, 'docker-compose.yml'), 'utf8');
const { services } = parse(file, { merge: true }) as { services: Readonly<Record<string, Service>> };
const all = Object.entries(services);

describe('docker-compose.yml', () => {
  test.skipIf(compose.status !== 0)('is accepted by docker-compose config', () => {
    const checked = spawnSync('docker-compose', ['-f', 'docker-compose.yml', 'config', '--quiet'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
  });

  test.each(all)('%s has a pinned image and publishes only on loopback', (_name, service) => {
    expect(service.build ?? service.image).toMatch(/^\.$|:\d[\w.-]*$/);
    expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test.each(['worker', 'starter'])('%s runs unprivileged and read-only', (name) => {
    expect(services[name]).toMatchObject({ user: '65532:65532', read_only: true, cap_drop: ['ALL'] });
  });

  test.each(['worker', 'starter'])('%s gets only variables that it or Temporal’s clients read', (name) => {
    const settings = name === 'worker' ? workerSettings : { ...workerSettings, ...starterSettings };
    const known = Object.values(settings).map(({ variable }) => variable);
    const given = Object.keys(services[name]?.environment ?? {});
    expect(
      given.filter((key) => !key.startsWith('TEMPORAL_') && !known.some((variable) => variable === key)),
    ).toEqual([]);
  });

  test('mounts files that are there by default', () => {
    const sources = all.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const named = file.matchAll(/\$\{(?:ACCESS_PROVIDERS|RELEASES):-([^}]+)\}/g);
    const paths = [
      ...sources.filter((source) => source.startsWith('./deploy')),
      ...[...named].map(([, path]) => path ?? ''),
    ];
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});
