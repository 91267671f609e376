import { createPrivateKey } from 'node:crypto';

import { OperatorError } from '../../domain/errors.ts';
import { isRecord, recordAt, stringAt } from '../../domain/manifests/object.ts';
import type { JsonRecord } from '../../domain/manifests/object.ts';
import type { Credential } from '../kubernetes/connection-settings.ts';
import { readCertificates } from './certificates.ts';

/** What a plugin returned. */
export interface PluginCredential {
  readonly credential: Credential;
  /** Milliseconds since the epoch; absent means until the API server refuses it. */
  readonly expiresAt: number | undefined;
}

/**
 * Reads the standard output of a plugin. Throws Error in words for an operator; the output itself is never quoted, for
 * it may hold a credential. Throws RemoteClientCreationFailed for a certificate or key that cannot be used.
 */
export function parseExecCredential(stdout: string, apiVersion: string, nowMs: number): PluginCredential {
  const answer = parseAnswer(stdout, apiVersion);
  const status = recordAt(answer, 'status');
  const token = field(status, 'token');
  const clientCertificate = field(status, 'clientCertificateData');
  const clientKey = field(status, 'clientKeyData');
  requireComplete({ token, clientCertificate, clientKey });
  const expiresAt = earliest(expirationOf(status), certificateEnd(clientCertificate, clientKey));
  if (expiresAt !== undefined && expiresAt <= nowMs) {
    const when = new Date(expiresAt).toISOString();
    throw new Error(
      `exec plugin returned a credential that expired at ${when}; check the plugin's source and the clocks`,
    );
  }
  return { credential: { token, clientCertificate, clientKey }, expiresAt };
}

function parseAnswer(stdout: string, apiVersion: string): JsonRecord {
  const text = stdout.trim();
  if (text === '')
    throw new Error('exec plugin printed nothing; it must print an ExecCredential on standard output');
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(
      `exec plugin printed ${String(text.length)} characters that are not JSON; it must print an ExecCredential and nothing else`,
    );
  }
  const kind = stringAt(answer, 'kind');
  if (!isRecord(answer) || kind !== 'ExecCredential') {
    throw new Error(`exec plugin returned kind ${quoted(kind)}, it must return an ExecCredential`);
  }
  const version = stringAt(answer, 'apiVersion') ?? '';
  if (version !== apiVersion) {
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${version.slice(0, 100)}`,
    );
  }
  if (!isRecord(answer['status'])) throw new Error("exec plugin didn't return a status field");
  return answer;
}

function quoted(kind: string | undefined): string {
  return kind === undefined ? '(none)' : JSON.stringify(kind.slice(0, 100));
}

function field(status: JsonRecord, name: string): string | undefined {
  const value = status[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`exec plugin returned a ${name} that is not a string`);
  return value;
}

function requireComplete({ token, clientCertificate, clientKey }: Credential): void {
  if (token === undefined && clientCertificate === undefined && clientKey === undefined) {
    throw new Error("exec plugin didn't return a token or cert/key pair");
  }
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new Error('exec plugin returned only certificate or key, not both');
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new Error(
      'exec plugin returned a token with blanks, line breaks or other characters that a header cannot carry',
    );
  }
}

function expirationOf(status: JsonRecord): number | undefined {
  const text = field(status, 'expirationTimestamp');
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Error('exec plugin returned an expirationTimestamp that is not an RFC 3339 time');
  return time;
}

function certificateEnd(certificate: string | undefined, key: string | undefined): number | undefined {
  if (certificate === undefined || key === undefined) return undefined;
  const [leaf] = usable(() => readCertificates(certificate), 'clientCertificateData');
  const privateKey = usable(() => createPrivateKey(key), 'clientKeyData');
  if (leaf === undefined) return undefined;
  if (!leaf.checkPrivateKey(privateKey))
    throw unusable('clientKeyData does not belong to clientCertificateData');
  return leaf.validToDate.getTime();
}

function usable<T>(read: () => T, name: string): T {
  try {
    return read();
  } catch {
    throw unusable(`${name} cannot be read as PEM`);
  }
}

function unusable(why: string): OperatorError {
  return new OperatorError(
    'RemoteClientCreationFailed',
    `failed to create remote kube client: the plugin's ${why}`,
  );
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
