import { readFile } from 'node:fs/promises';

import { parseAccessConfig } from '../../adapters/access/access-config.ts';
import type { AccessConfig, AccessProvider } from '../../adapters/access/access-config.ts';
import { findExecutable } from '../../adapters/access/plugin-executable.ts';
import { isOperatorError, messageOf } from '../../domain/errors.ts';
import type { Session } from '../session.ts';
import type { Finding } from './finding.ts';
import { finding, ok, problem, skipped } from './finding.ts';

export interface AccessCheck {
  readonly findings: readonly Finding[];
  /** Undefined when there is no usable provider file. */
  readonly config: AccessConfig | undefined;
}

/** Reads the provider file with all its problems at once, and looks at each plugin without running it. */
export async function checkAccess(session: Session): Promise<AccessCheck> {
  const path = session.providerFile;
  if (path === undefined || path === '') {
    const subject = { check: 'access.provider-file', object: 'none' };
    const what = 'access to spokes is off; --clusterprofile-provider-file turns it on';
    return { findings: [skipped(subject, what)], config: undefined };
  }
  const subject = { check: 'access.provider-file', object: path };
  let config: AccessConfig;
  try {
    config = parseAccessConfig(await readFile(path, 'utf8'));
  } catch (error) {
    return { findings: problemsOf(subject, error), config: undefined };
  }
  const names = config.providers.map((provider) => provider.name).join(', ');
  const plugins = await Promise.all(config.providers.map((provider) => checkPlugin(session, provider)));
  return { findings: [ok(subject, `knows ${names === '' ? 'no provider' : names}`), ...plugins], config };
}

function problemsOf(subject: Pick<Finding, 'check' | 'object'>, error: unknown): readonly Finding[] {
  const listed = isOperatorError(error) ? error.details['problems'] : undefined;
  const problems = Array.isArray(listed) ? listed.filter((item) => typeof item === 'string') : [];
  const advice = 'correct the file; docs/credentials.md has its fields. The worker refuses to start with it';
  return (problems.length > 0 ? problems : [messageOf(error)]).map((what) => problem(subject, what, advice));
}

async function checkPlugin(session: Session, provider: AccessProvider): Promise<Finding> {
  const command = provider.execConfig?.command ?? '';
  const subject = { check: 'access.plugin', object: `${provider.name}: ${command}` };
  if (command === '') return problem(subject, 'has no execConfig', 'add execConfig to the provider');
  const advice = 'mount the plugin where the worker runs, executable and for its architecture';
  return finding(subject, advice, async () => {
    const file = await findExecutable(command, session.terminal.environment['PATH'] ?? '');
    return ok(subject, `${file} can be executed`);
  });
}
