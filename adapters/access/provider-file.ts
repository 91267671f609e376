import { readFile, stat } from 'node:fs/promises';

import { messageOf, OperatorError } from '../../domain/errors.ts';
import { parseAccessConfig } from './access-config.ts';
import type { AccessConfig } from './access-config.ts';

/** The provider file as it is now. */
export interface ProviderFile {
  /**
   * Costs one stat when nothing changed. Rejects with MulticlusterDisabled when no file is configured or the configured
   * one was never there, and with AccessProviderFailed when there never was a valid one.
   */
  current(): Promise<AccessConfig>;
}

export interface ProviderFileOptions {
  /** Absent or empty: access to spokes is off. */
  readonly path: string | undefined;
  /** Told once about each change that took effect. */
  readonly onReload?: (config: AccessConfig) => void;
  /** Told once about each change that was refused; the last good content stays in force. */
  readonly onProblem?: (message: string) => void;
}

/**
 * Reads the provider file and follows its changes without a restart, also through the symbolic links of a mounted
 * ConfigMap. Content that is invalid, or a file that is gone, leaves the last good content in force.
 */
export function createProviderFile(options: ProviderFileOptions): ProviderFile {
  const { path } = options;
  if (path === undefined || path === '') return { current: () => Promise.reject(disabled()) };
  let good: AccessConfig | undefined;
  let seen = '';
  let problem: OperatorError | undefined;
  let loading: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    const { version, content } = await readVersion(path, seen);
    if (version === seen) return;
    const reload = seen !== '';
    seen = version;
    try {
      good = parse(content);
      problem = undefined;
      if (reload) options.onReload?.(good);
    } catch (error) {
      problem = isAbsent(error) && good === undefined ? notYet(path) : failure(path, error);
      options.onProblem?.(problem.message);
    }
  };

  return {
    async current() {
      loading ??= load().finally(() => {
        loading = undefined;
      });
      await loading;
      if (good !== undefined) return good;
      throw problem ?? failure(path, new Error('it was never read'));
    },
  };
}

function disabled(): OperatorError {
  return new OperatorError(
    'MulticlusterDisabled',
    'multi-cluster support is disabled: set --clusterprofile-provider-file to enable',
  );
}

/** A worker may be there before its provider file: access to spokes begins when the file appears. */
function notYet(path: string): OperatorError {
  return new OperatorError(
    'MulticlusterDisabled',
    `multi-cluster support is disabled: ${JSON.stringify(path)}, which --clusterprofile-provider-file names, does not exist; create it to enable`,
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function failure(path: string, error: unknown): OperatorError {
  const message = `failed to load access provider config from ${JSON.stringify(path)}: ${messageOf(error)}`;
  return new OperatorError('AccessProviderFailed', message, { cause: error });
}

function parse(content: string | Error): AccessConfig {
  if (content instanceof Error) throw content;
  return parseAccessConfig(content);
}

/** The version is taken before the content, so a change in between is seen at the next call. */
async function readVersion(
  path: string,
  seen: string,
): Promise<{ version: string; content: string | Error }> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    const version = [dev, ino, size, mtimeNs, ctimeNs].join(':');
    return { version, content: version === seen ? '' : await readFile(path, 'utf8') };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    return { version: cause.message, content: cause };
  }
}
