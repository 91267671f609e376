import { describe, expect, test } from 'vitest';

import { parseAccessConfig } from '../../../adapters/access/access-config.ts';
import { OperatorError } from '../../../domain/errors.ts';

const v1 = 'client.authentication.k8s.io/v1';

function problemsOf(content: string): readonly string[] {
  try {
    parseAccessConfig(content);
  } catch (error) {
    if (error instanceof OperatorError) return error.details['problems'] as readonly string[];
    throw error;
  }
  return [];
}

describe('parseAccessConfig', () => {
  test('reads keys in any case, as the decoder of the Go library does', () => {
    const config = parseAccessConfig(
      JSON.stringify({
        PROVIDERS: [
          {
            Name: 'secretreader',
            execconfig: {
              Command: '/plugins/secretreader',
              ARGS: ['a'],
              Env: [{ NAME: 'A', Value: '1' }],
              apiversion: v1,
              ProvideClusterInfo: true,
              InteractiveMode: 'Always',
            },
            profilesourcedcliargspolicy: 'Append',
            ProfileSourcedEnvVarsPolicy: 'Replace',
          },
        ],
      }),
    );
    expect(config.providers[0]).toEqual({
      name: 'secretreader',
      execConfig: {
        command: '/plugins/secretreader',
        args: ['a'],
        env: [{ name: 'A', value: '1' }],
        apiVersion: v1,
        provideClusterInfo: true,
        installHint: '',
        interactiveMode: 'Always',
      },
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'Replace',
    });
  });

  test('takes null for absent arguments, environment, policies and lists', () => {
    const execConfig = { command: 'p', args: null, env: null, apiVersion: v1, provideClusterInfo: null };
    const provider = { name: 'x', execConfig, profileSourcedCLIArgsPolicy: null };
    const [parsed] = parseAccessConfig(JSON.stringify({ providers: [provider] })).providers;
    expect(parsed?.execConfig).toMatchObject({ args: [], env: [], provideClusterInfo: false });
    expect(parsed?.profileSourcedCLIArgsPolicy).toBe('Ignore');
    expect(parseAccessConfig('{"providers":null}').providers).toEqual([]);
  });

  test('takes an empty policy as Ignore and a provider without execConfig, which fails only when it is chosen', () => {
    const [parsed] = parseAccessConfig(
      '{"providers":[{"name":"x","profileSourcedEnvVarsPolicy":""}]}',
    ).providers;
    expect(parsed?.profileSourcedEnvVarsPolicy).toBe('Ignore');
    expect(parsed?.execConfig).toBeUndefined();
  });

  test('lists every problem at once', () => {
    const providers = [
      { name: '', execConfig: { command: '', apiVersion: 'v2' }, profileSourcedCLIArgsPolicy: 'Prepend' },
      {
        name: 'b',
        execConfig: { command: 'p', apiVersion: v1, args: [1] },
        profileSourcedEnvVarsPolicy: 'Merge',
      },
    ];
    const problems = problemsOf(JSON.stringify({ providers }));
    for (const part of [
      'providers[0].name',
      'providers[0].execConfig.command',
      'exec plugin: invalid apiVersion "v2"',
      'unsupported ProfileSourcedCLIArgsPolicy: "Prepend"',
      'providers[1].execConfig.args[0]',
      'unsupported ProfileSourcedEnvVarsPolicy: "Merge"',
    ]) {
      expect(
        problems.filter((problem) => problem.includes(part)),
        part,
      ).toHaveLength(1);
    }
  });

  test.each([
    ['', /not JSON/],
    ['{"providers":[{"name":"x","execConfig":{"env":[{"name":"T","value":"s3cr3t-value"', /not JSON/],
    ['[]', /not a JSON object/],
    ['{"providers":{}}', /providers/],
  ])('refuses %j without quoting it', (content, message) => {
    const problems = problemsOf(content).join('\n');
    expect(problems).toMatch(message);
    expect(problems).not.toContain('s3cr3t-value');
  });
});
