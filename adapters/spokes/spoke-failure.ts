import { isOperatorError, OperatorError } from '../../domain/errors.ts';
import type { ErrorKind } from '../../domain/errors.ts';
import type { ClusterProfileRef } from '../access/target-access.ts';

const advice: Partial<Record<ErrorKind, string>> = {
  AccessProviderFailed: 'run the plugin by hand with the same input, see docs/credentials.md',
  RemoteClientCreationFailed:
    'check certificate-authority-data and tls-server-name of the ClusterProfile, and the credentials that the plugin returns',
  SpokeUnreachable: 'check the address in the ClusterProfile and the network path from here to the spoke',
  SpokeForbidden: 'grant the spoke role that ships with this software to the account that the plugin uses',
};

/** Names the profile and says what to do, for failures of the access itself; everything else passes unchanged. */
export function explainSpokeFailure(ref: ClusterProfileRef, error: unknown): unknown {
  if (!isOperatorError(error)) return error;
  const hint = advice[error.kind];
  return hint === undefined ? error : reworded(ref, error, { kind: error.kind, hint });
}

/** The same for the first call, where every failure says that the spoke cannot be used. */
export function explainConnectFailure(ref: ClusterProfileRef, error: unknown): unknown {
  if (!isOperatorError(error) || error.kind === 'RemoteClusterStale') return error;
  if (advice[error.kind] !== undefined) return explainSpokeFailure(ref, error);
  if (error.kind === 'ApiTransient') {
    const hint = 'the API server answers but does not serve yet; look at its health';
    return reworded(ref, error, { kind: 'SpokeUnreachable', hint });
  }
  const hint =
    'what answers there is not the Kubernetes API server of a cluster; correct the address in the ClusterProfile';
  return reworded(ref, error, { kind: 'RemoteClientCreationFailed', hint });
}

const creationPrefix = 'failed to create remote kube client: ';

function reworded(
  ref: ClusterProfileRef,
  error: OperatorError,
  as: { readonly kind: ErrorKind; readonly hint: string },
): OperatorError {
  const subject = `ClusterProfile ${ref.namespace}/${ref.name}: `;
  if (error.message.includes(subject)) return error;
  const what = error.message.startsWith(creationPrefix)
    ? error.message.slice(creationPrefix.length)
    : error.message;
  const prefix = as.kind === 'RemoteClientCreationFailed' ? creationPrefix : '';
  return new OperatorError(as.kind, `${prefix}${subject}${what}; ${as.hint}`, {
    cause: error,
    details: error.details,
  });
}
