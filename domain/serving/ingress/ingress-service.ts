import { parse } from 'yaml';

import { removeAt, setAt } from '../../manifests/edit.ts';
import type { ManifestObject } from '../../manifests/object.ts';
import { recordAt, stringAt } from '../../manifests/object.ts';
import type { ServingContext, Transform } from '../../manifests/transform.ts';
import { gatewayOverride } from './istio.ts';

const localGateway = 'knative-local-gateway';
const istioNamespace = 'istio-system';

/**
 * Puts Service `knative-local-gateway` beside Istio's own gateway pods and gives both gateway Services the selectors of
 * their overrides. The namespace is the one that `spec.config.istio` or, stronger, `spec.config.config-istio` names for
 * that gateway, else `istio-system`. An object there can have no owner in the install namespace.
 */
export const ingressService: Transform<ServingContext> = (object, context) => {
  const { name = '' } = object.metadata;
  if (object.kind !== 'Service' || object.apiVersion !== 'v1') return object;
  if (name === localGateway) return withSelector(withIstioNamespace(object, context), name, context);
  return name === 'knative-ingress-gateway' ? withSelector(object, name, context) : object;
};

function withSelector(service: ManifestObject, name: string, { spec }: ServingContext): ManifestObject {
  const { selector = {} } = gatewayOverride(spec.ingress?.istio, name) ?? {};
  return Object.keys(selector).length > 0 ? setAt(service, ['spec', 'selector'], selector) : service;
}

function withIstioNamespace(
  service: ManifestObject,
  { spec, installNamespace }: ServingContext,
): ManifestObject {
  const named = ['config-istio', 'istio']
    .map((key) => gatewayNamespace(spec.config?.[key], installNamespace))
    .find((namespace) => namespace !== '');
  const ownerless = removeAt(service, ['metadata', 'ownerReferences']);
  return setAt(ownerless, ['metadata', 'namespace'], named ?? istioNamespace);
}

/** Namespace of the local gateway in one istio configuration; empty when it names none. */
function gatewayNamespace(
  config: Readonly<Record<string, string>> | undefined,
  installNamespace: string,
): string {
  const structured = config?.['local-gateways'];
  const listed = structured === undefined ? '' : listedNamespace(structured);
  if (listed !== '') return listed;
  return config?.[`local-gateway.${installNamespace}.${localGateway}`]?.split('.')[1] ?? '';
}

/** From a YAML list of gateways; text that is none names nothing, as in the Go operator. */
function listedNamespace(text: string): string {
  const list = parseQuietly(text);
  if (!Array.isArray(list)) return '';
  const entry = list.find((item) => stringAt(item, 'name') === localGateway);
  return stringAt(recordAt(entry), 'namespace') ?? '';
}

function parseQuietly(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch {
    return undefined;
  }
}
