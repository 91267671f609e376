import { OperatorError } from '../errors.ts';
import { setAt } from '../manifests/edit.ts';
import type { JsonRecord } from '../manifests/object.ts';
import { listAt, stringAt } from '../manifests/object.ts';
import type { Container } from '../manifests/pod-template.ts';
import {
  containersOf,
  mapContainers,
  podSpecPath,
  withEnvironment,
  withNamed,
} from '../manifests/pod-template.ts';
import type { ServingContext, Transform } from '../manifests/transform.ts';

const mountPath = '/custom-certs';

/**
 * Mounts the certificates of `spec.controller-custom-certs` into the first container of Deployment `controller` and
 * points SSL_CERT_DIR at them. Throws SpecInvalid for another type than ConfigMap or Secret and for a missing name.
 */
export const customCerts: Transform<ServingContext> = (object, { spec }) => {
  const { type = '', name = '' } = spec['controller-custom-certs'] ?? {};
  if (type === '' && name === '') return object;
  if (object.kind !== 'Deployment' || object.metadata.name !== 'controller') return object;
  const volume = { name: `custom-certs-${name}`, ...volumeSource(type, name) };
  const volumes = withNamed(listAt(object, ...podSpecPath, 'volumes'), [volume]);
  const first = containersOf(object)[0];
  return mapContainers(setAt(object, [...podSpecPath, 'volumes'], volumes), (container) =>
    container === first ? withMount(container, volume.name) : container,
  );
};

function volumeSource(type: string, name: string): JsonRecord {
  if (type !== 'ConfigMap' && type !== 'Secret') {
    throw new OperatorError('SpecInvalid', `unknown CustomCerts type: ${type}`);
  }
  if (name === '') {
    throw new OperatorError('SpecInvalid', `the CustomCerts name for ${type} is required`);
  }
  return type === 'ConfigMap' ? { configMap: { name } } : { secret: { secretName: name } };
}

function withMount(container: Container, volume: string): JsonRecord {
  // Two mounts at one path are refused.
  const others = listAt(container, 'volumeMounts').filter(
    (mount) => stringAt(mount, 'mountPath') !== mountPath,
  );
  const mounts = [...others, { name: volume, mountPath }];
  return {
    ...withEnvironment(container, [{ name: 'SSL_CERT_DIR', value: mountPath }]),
    volumeMounts: mounts,
  };
}
