import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';

import { completionScript, shells } from '../../cli/completion/completion-script.ts';
import { exitCodeMeanings, exitCodeOf, exitCodes } from '../../cli/exit-codes.ts';
import { createInvocation, examplesOf } from '../../cli/invocation.ts';
import { createProgram } from '../../cli/program.ts';
import { OperatorError } from '../../domain/errors.ts';
import { runAs } from '../support/cli.ts';

const program = createProgram(
  createInvocation({
    print: () => undefined,
    note: () => undefined,
    columns: undefined,
    redraws: false,
    ask: () => Promise.resolve(undefined),
    environment: {},
    interrupted: new AbortController().signal,
  }),
);

function leaves(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leaves(child) : [child]));
}

describe('help', () => {
  test.each(leaves(program).map((command) => [command.name(), command] as const))(
    'of %s has a description and examples that parse',
    async (name, command) => {
      expect(command.description()).toMatch(/\.$/);
      const examples = examplesOf(command).filter((line) => line.startsWith('knative-fleet '));
      expect(examplesOf(command).length).toBeGreaterThan(0);
      for (const example of examples) {
        const words = example.replace(/ [|>].*$/, '').match(/'[^']*'|\S+/g) ?? [];
        const args = words.slice(1).map((word) => word.replaceAll("'", ''));
        const known = args.filter((word) => word.startsWith('--'));
        for (const option of known) expect(optionsOf(command)).toContain(option);
        expect(args.join(' ')).toContain(name);
      }
      const path = command.parent === program ? [name] : [command.parent?.name() ?? '', name];
      const run = await runAs({}, [...path, '--help']);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toContain('Examples:');
    },
  );

  test('of the program lists every command and every exit code', async () => {
    const { stdout } = await runAs({}, ['--help']);
    for (const command of program.commands) expect(stdout).toContain(command.name());
    for (const meaning of Object.values(exitCodeMeanings)) expect(stdout).toContain(meaning);
  });
});

function optionsOf(command: Command): readonly string[] {
  return [...program.options, ...command.options].map((option) => option.long ?? '');
}

describe('the program as a process', () => {
  const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
  const start = (args: readonly string[]) =>
    spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });

  test('ends with the exit code of the command and keeps its streams apart', () => {
    const refused = start(['describe', 'pod/a/b']);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^error: "pod\/a\/b" names no component.*\n$/);
    const version = start(['--version']);
    expect(version).toMatchObject({ status: 0, stderr: '' });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('reads a resource from standard input', () => {
    const input = 'kind: Pod';
    const run = spawnSync(process.execPath, [main, 'render', '-f', '-'], { encoding: 'utf8', input });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('- holds no component');
  });

  test('ends quietly when nobody reads its output any more', () => {
    const command = `'${process.execPath}' '${main}' completion fish | head -1`;
    const piped = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect(piped).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('exit codes', () => {
  test('are the documented numbers', () => {
    expect(exitCodes).toEqual({
      done: 0,
      failed: 1,
      usage: 2,
      found: 3,
      missing: 4,
      refused: 5,
      unreachable: 6,
    });
  });

  test.each([
    [['statsu'], /Did you mean status/],
    [['status', '-o', 'xml'], /choices are|Allowed choices/],
    [['describe'], /missing required argument/],
    [['describe', 'pod/a/b'], /neither KnativeServing nor KnativeEventing/],
    [['render'], /either KIND\/NAMESPACE\/NAME or -f/],
    [['render', '-f', '/nowhere.yaml'], /nowhere\.yaml cannot be read/],
    [['cleanup', 'serving/a/b'], /either --force with --reason, or --purge-crds/],
    [['cleanup', 'serving/a/b', '--force'], /needs --reason/],
    [['history', 'serving/a/b', '--runs', '0'], /whole number/],
    [['drain', '--timeout', 'soon'], /whole seconds/],
  ])('%j ends with 2 and says what is meant', async (args, message) => {
    const run = await runAs({}, args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  test('follow the kind of a failure', () => {
    expect(exitCodeOf(new OperatorError('SpokeUnreachable', ''))).toBe(6);
    expect(exitCodeOf(new OperatorError('Paused', ''))).toBe(5);
    expect(exitCodeOf(new OperatorError('ResourceGone', ''))).toBe(4);
    expect(exitCodeOf(new Error('anything'))).toBe(1);
  });
});

describe('failures', () => {
  test('are one line without a stack, and hold no credential', async () => {
    const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
    const run = await runAs({}, ['describe', 'serving/a/b', '--kubeconfig', `/nowhere/${token}`]);
    const lines = run.stderr.split('\n').filter((line) => line.startsWith('error:'));
    expect(run.code).toBe(6);
    expect(lines).toHaveLength(1);
    expect(run.stderr).not.toContain(token);
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  test('show the stack with --debug', async () => {
    const run = await runAs({}, ['describe', 'pod/a/b', '--debug']);
    expect(run.stderr).toMatch(/^\s+at /m);
  });
});

describe('completion', () => {
  test.each(shells)('for %s knows every command and option', (shell) => {
    const script = completionScript(shell, program);
    for (const command of leaves(program)) {
      expect(script).toContain(command.name());
      for (const { long } of command.options) expect(script).toContain(long?.replace(/^--/, '') ?? '');
    }
  });

  test.each([
    [['knative-fleet', 'st'], 'status'],
    [['knative-fleet', 'abandoned', 'li'], 'list'],
    [['knative-fleet', 'doctor', '--fi'], '--fix'],
    [['knative-fleet', 'status', '-o', 'y'], 'yaml'],
  ])('bash completes %j', (words, completed) => {
    const script = completionScript('bash', program);
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const run = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${String(words.length - 1)}; _knative_fleet; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim()).toBe(completed);
  });
});
