import { join } from 'node:path';

import { inject } from 'vitest';

import { runCli } from '../../cli/run-cli.ts';
import type { Terminal } from '../../cli/terminal.ts';
import { cacheFolder } from '../../dev/cache/cache-folder.ts';
import type { OperatorFleet } from './operator-fleet.ts';
import { testReleases } from './operator-fleet.ts';

/** What one command line printed, and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliUser {
  readonly environment?: Readonly<Record<string, string>>;
  /** Answers to questions, in order; without one nobody can be asked. */
  readonly answers?: readonly string[];
  readonly columns?: number;
  readonly interrupted?: AbortSignal;
  readonly onPrint?: (text: string) => void;
}

/** Runs the command line in this process, with a user who types the given answers. */
export async function runAs(user: CliUser, args: readonly string[]): Promise<CliRun> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const answers = [...(user.answers ?? [])];
  const terminal: Terminal = {
    print: (text) => {
      stdout.push(`${text}\n`);
      user.onPrint?.(text);
    },
    note: (text) => void stderr.push(text),
    columns: user.columns,
    redraws: false,
    ask: (question) => {
      stderr.push(question);
      return Promise.resolve(answers.shift());
    },
    environment: user.environment ?? {},
    interrupted: user.interrupted ?? new AbortController().signal,
  };
  const code = await runCli(args, terminal);
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** The settings that a user of this fleet has. */
export function cliEnvironment(scene: OperatorFleet): Readonly<Record<string, string>> {
  return {
    KUBECONFIG: scene.fleet.hub.kubeconfigPath,
    TEMPORAL_ADDRESS: inject('temporal').address,
    TEMPORAL_NAMESPACE: scene.temporal.options.namespace,
    CLUSTERPROFILE_PROVIDER_FILE: scene.providerFile,
    RELEASES_DIRECTORY: testReleases.root,
    RELEASES_CACHE: join(cacheFolder(), 'releases'),
    PATH: process.env['PATH'] ?? '',
  };
}
