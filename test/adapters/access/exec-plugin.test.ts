import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runExecPlugin } from '../../../adapters/access/exec-plugin.ts';
import { until } from '../../../dev/processes/until.ts';
import { certificateKeyPem, certificatePem } from '../../support/certificate-pem.ts';
import { callOf, createPluginScripts, credentialJson, execVersion, print } from './plugin-scripts.ts';
import type { PluginScripts } from './plugin-scripts.ts';

let scripts: PluginScripts;

beforeAll(async () => {
  scripts = await createPluginScripts();
});

afterAll(() => scripts.remove());

const good = credentialJson({ token: 'abc' });

async function failureOf(run: Promise<unknown>): Promise<{ kind: string; message: string }> {
  return run.then(
    () => {
      throw new Error('the plugin succeeded');
    },
    (error: unknown) => error as { kind: string; message: string },
  );
}

async function isGone(pidFile: string): Promise<true | undefined> {
  const pid = Number(await readFile(join(scripts.folder, pidFile), 'utf8'));
  try {
    process.kill(pid, 0);
    // A zombie that its new parent has not collected yet is dead as well.
    const state = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => ') Z');
    return state.includes(') Z') ? true : undefined;
  } catch {
    return true;
  }
}

describe('runExecPlugin', () => {
  test('returns a token and its expiry', async () => {
    const expirationTimestamp = '2126-01-02T03:04:05Z';
    const plugin = await scripts.shell('token', print(credentialJson({ token: 'abc', expirationTimestamp })));
    await expect(runExecPlugin(callOf(plugin))).resolves.toEqual({
      credential: { token: 'abc', clientCertificate: undefined, clientKey: undefined },
      expiresAt: Date.parse(expirationTimestamp),
    });
  });

  test('speaks v1beta1 when the provider file says so', async () => {
    const apiVersion = 'client.authentication.k8s.io/v1beta1';
    const plugin = await scripts.shell('beta', print(credentialJson({ token: 'abc' }, { apiVersion })));
    const answer = await runExecPlugin(callOf(plugin, { apiVersion }));
    expect(answer.credential.token).toBe('abc');
  });

  test('returns a client certificate, which expires with itself', async () => {
    const status = { clientCertificateData: certificatePem, clientKeyData: certificateKeyPem };
    const plugin = await scripts.shell('certificate', print(credentialJson(status)));
    const answer = await runExecPlugin(callOf(plugin));
    expect(answer.credential.clientCertificate).toBe(certificatePem);
    expect(new Date(answer.expiresAt ?? 0).getUTCFullYear()).toBe(2126);
  });

  test('gives arguments as they are, without a shell, and no input to read', async () => {
    const plugin = await scripts.node(
      'arguments',
      `const input = require('node:fs').readFileSync(0, 'utf8');
       const token = Buffer.from(JSON.stringify([process.argv.slice(2), input])).toString('hex');
       console.log(JSON.stringify({ apiVersion: '${execVersion}', kind: 'ExecCredential', status: { token } }));`,
    );
    const args = ['a b', '$HOME', '`id`', '*', ''];
    const answer = await runExecPlugin(callOf(plugin, { args }));
    expect(JSON.parse(Buffer.from(answer.credential.token ?? '', 'hex').toString())).toEqual([args, '']);
  });

  test('finds a command without a slash in the PATH', async () => {
    await scripts.shell('by-name', print(good));
    const environment = { PATH: `/nonexistent:${scripts.folder}:/usr/bin:/bin` };
    const answer = await runExecPlugin(callOf('by-name'), { environment });
    expect(answer.credential.token).toBe('abc');
  });

  test('gives the plugin a few variables, the configured ones and its input, and nothing else', async () => {
    const plugin = await scripts.node(
      'environment',
      `const token = Buffer.from(JSON.stringify(process.env)).toString('hex');
       console.log(JSON.stringify({ apiVersion: '${execVersion}', kind: 'ExecCredential', status: { token } }));`,
    );
    const clusterInfo = { server: 'https://spoke', config: { a: { b: [1] } } };
    const env = [
      { name: 'REGION', value: 'eu' },
      { name: 'HOME', value: '/configured' },
      { name: 'KUBERNETES_EXEC_INFO', value: 'not this' },
    ];
    const inherited = {
      PATH: '/usr/bin:/bin',
      KUBECONFIG: '/hub',
      https_proxy: 'http://proxy',
      SSL_CERT_DIR: '/certs',
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
    };
    const environment = {
      ...inherited,
      HOME: '/root',
      TEMPORAL_API_KEY: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--max-old-space-size=64',
      LD_LIBRARY_PATH: '/x',
    };
    const answer = await runExecPlugin(callOf(plugin, { env, clusterInfo }), { environment });
    const seen = JSON.parse(Buffer.from(answer.credential.token ?? '', 'hex').toString()) as Record<
      string,
      string
    >;
    const { KUBERNETES_EXEC_INFO: input, ...rest } = seen;
    expect(rest).toEqual({ ...inherited, REGION: 'eu', HOME: '/configured' });
    expect(JSON.parse(input ?? '')).toEqual({
      apiVersion: execVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: clusterInfo },
    });
  });

  describe('reports a plugin that', () => {
    const otherKey = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
    const certificates = (certificate: string, key: string): string =>
      credentialJson({ clientCertificateData: certificate, clientKeyData: key });

    test.each<[string, string, string, string?]>([
      ['prints nothing', 'exit 0', 'exec plugin printed nothing'],
      ['prints garbage', 'echo please log in', 'printed 13 characters that are not JSON'],
      ['returns another kind', print('{"kind":"Config"}'), 'exec plugin returned kind "Config"'],
      [
        'returns another version',
        print(good.replace('/v1', '/v1beta1')),
        `exec plugin is configured to use API version ${execVersion}, plugin returned version client.authentication.k8s.io/v1beta1`,
      ],
      [
        'returns no status',
        print(good.replace('"status"', '"state"')),
        "exec plugin didn't return a status field",
      ],
      [
        'returns an empty status',
        print(credentialJson({})),
        "exec plugin didn't return a token or cert/key pair",
      ],
      [
        'returns only a certificate',
        print(credentialJson({ clientCertificateData: certificatePem })),
        'exec plugin returned only certificate or key, not both',
      ],
      [
        'returns only a key',
        print(credentialJson({ token: 'abc', clientKeyData: certificateKeyPem })),
        'exec plugin returned only certificate or key, not both',
      ],
      [
        'returns a credential that has expired',
        print(credentialJson({ token: 'abc', expirationTimestamp: '2020-01-01T00:00:00Z' })),
        'a credential that expired at 2020-01-01T00:00:00.000Z',
      ],
      [
        'returns a credential that has expired, with the time as we would write it',
        print(credentialJson({ token: 'abc', expirationTimestamp: '2020-01-01T00:00:00.000Z' })),
        'a credential that expired at 2020-01-01T00:00:00.000Z',
      ],
      [
        'returns a time that is none',
        print(credentialJson({ token: 'abc', expirationTimestamp: 'tomorrow' })),
        'not an RFC 3339 time',
      ],
      [
        'returns a token with a line break',
        print(credentialJson({ token: 'abc\n' })),
        'a header cannot carry',
      ],
      [
        'returns a certificate that is none',
        print(certificates('nonsense', certificateKeyPem)),
        'clientCertificateData cannot be read as PEM',
        'RemoteClientCreationFailed',
      ],
      [
        'returns the key of another certificate',
        print(certificates(certificatePem, otherKey.toString())),
        'clientKeyData does not belong to clientCertificateData',
        'RemoteClientCreationFailed',
      ],
      ['fails', 'echo no such tenant >&2; exit 3', 'failed with exit code 3; it wrote: no such tenant'],
      ['is killed', 'kill -9 $$', 'was killed by SIGKILL'],
      ['prints without end', 'exec cat /dev/zero', 'printed more than 1 MiB and was killed'],
    ])('%s', async (name, body, message, kind = 'AccessProviderFailed') => {
      const plugin = await scripts.shell(name.replaceAll(' ', '-'), body);
      expect(await failureOf(runExecPlugin(callOf(plugin)))).toMatchObject({
        kind,
        message: expect.stringContaining(message) as string,
      });
    });

    test('is missing, with what the provider file says about installing it', async () => {
      const installHint = 'see https://plugins.example';
      const failure = await failureOf(runExecPlugin(callOf('/plugins/none', { installHint })));
      expect(failure.message).toContain('exec: executable /plugins/none not found; mount the plugin');
      expect(failure.message).toContain(installHint);
    });

    test('is a folder', async () => {
      const failure = await failureOf(runExecPlugin(callOf(scripts.folder)));
      expect(failure.message).toContain('not found');
    });

    test.each<[string, string | Buffer, number, string]>([
      ['is not executable', '#!/bin/sh\n', 0o644, 'is not executable for this user'],
      [
        'has an interpreter that does not exist',
        '#!/nonexistent/python\n',
        0o755,
        'the interpreter in its #! line',
      ],
      ['is neither a program nor a script', 'echo hello\n', 0o755, 'exec format error'],
      ['is an empty file', '', 0o755, 'is an empty file'],
      ['is a program for another system', Buffer.from('cffaedfe0c000001', 'hex'), 0o755, 'exec format error'],
      [
        'is built for another architecture',
        foreignElf(),
        0o755,
        `it is built for s390x, this system is ${process.arch}`,
      ],
    ])('%s', async (name, content, mode, message) => {
      const plugin = await scripts.file(`${name.replaceAll(' ', '-')}.file`, content, mode);
      // The superuser may read what is not executable, but not execute it.
      expect(await failureOf(runExecPlugin(callOf(plugin)))).toMatchObject({
        kind: 'AccessProviderFailed',
        message: expect.stringContaining(message) as string,
      });
    });

    test('hangs, and kills it together with its children even if they ignore the request', async () => {
      const plugin = await scripts.shell(
        'hangs',
        `trap '' TERM\nsh -c "trap '' TERM; while :; do sleep 1; done" &\necho $! > ${scripts.folder}/hangs.pid\nwhile :; do sleep 1; done`,
      );
      const failure = await failureOf(runExecPlugin(callOf(plugin), { timeoutMs: 300 }));
      expect(failure.message).toContain('did not finish within 0.3 s and was killed');
      await until('the end of the child', 10_000, () => isGone('hangs.pid'));
    });

    test('runs while this process shuts down, and ends it', async () => {
      const plugin = await scripts.shell(
        'aborted',
        `echo $$ > ${scripts.folder}/aborted.pid\nexec sleep 600`,
      );
      const shutdown = new AbortController();
      const run = failureOf(runExecPlugin(callOf(plugin), { signal: shutdown.signal }));
      await until('its start', 10_000, async () => ((await scripts.runs('aborted')) > 0 ? true : undefined));
      shutdown.abort();
      expect((await run).message).toContain('was ended because this process shuts down');
      await until('its end', 10_000, () => isGone('aborted.pid'));
    });
  });

  test('does not wait for a child that holds the pipe, and leaves none behind', async () => {
    const plugin = await scripts.shell(
      'forks',
      `sleep 600 &\necho $! > ${scripts.folder}/forks.pid\n${print(good)}`,
    );
    const answer = await runExecPlugin(callOf(plugin), { timeoutMs: 20_000 });
    expect(answer.credential.token).toBe('abc');
    await until('the end of the child', 10_000, () => isGone('forks.pid'));
  });

  test('reads all of a large answer', async () => {
    const token = 'x'.repeat(900_000);
    const plugin = await scripts.file('large.json', credentialJson({ token }), 0o644);
    const cat = await scripts.shell('large', `exec cat ${plugin}`);
    const answer = await runExecPlugin(callOf(cat));
    expect(answer.credential.token?.length).toBe(token.length);
  });

  test('shows the end of standard error without the secrets in it', async () => {
    const status = { token: 'issued-token-value', expirationTimestamp: '2020-01-01T00:00:00Z' };
    const plugin = await scripts.shell(
      'talks',
      `yes noise | head -n 5000 >&2
       echo "got issued-token-value with $API_KEY" >&2
       echo "Authorization: Bearer other-token-value" >&2
       ${print(credentialJson(status))}`,
    );
    const env = [{ name: 'API_KEY', value: 'configured-key-value' }];
    const { message } = await failureOf(runExecPlugin(callOf(plugin, { env })));
    expect(message).toContain('got [redacted] with [redacted]');
    expect(message).not.toMatch(/issued-token|configured-key|other-token/);
    expect(message.length).toBeLessThan(1_200);
  });
});

/** The header of a program for s390x, which these tests never run on. */
function foreignElf(): Buffer {
  const header = Buffer.alloc(64);
  header.write('\x7fELF\x02\x02\x01', 0, 'latin1');
  header.writeUInt16BE(22, 18);
  return header;
}
