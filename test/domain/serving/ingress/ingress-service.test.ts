import { describe, expect, test } from 'vitest';

import { ingressService } from '../../../../domain/serving/ingress/ingress-service.ts';
import { servingContext, yamlObject } from '../../../support/rendering.ts';

const service = (name: string) =>
  yamlObject(
    `{apiVersion: v1, kind: Service, metadata: {name: ${name}, namespace: test-ns, ownerReferences: [{name: a}]}, spec: {selector: {istio: ingressgateway}}}`,
  );
const local = (spec: string) => ingressService(service('knative-local-gateway'), servingContext(spec));

const structured =
  '"- name: other\\n  namespace: no\\n- name: knative-local-gateway\\n  namespace: structured\\n"';
const legacy = (key: string, value: string) =>
  `${key}: {local-gateway.test-ns.knative-local-gateway: ${value}}`;

describe('ingressService', () => {
  test.each([
    ['no istio configuration', '{}', 'istio-system'],
    ['the old key', `config: {${legacy('istio', 'gw.istio-system-1.svc')}}`, 'istio-system-1'],
    [
      'the old key under the full name',
      `config: {${legacy('config-istio', 'gw.istio-system-1.svc')}}`,
      'istio-system-1',
    ],
    [
      'both names, the full one winning',
      `config: {${legacy('istio', 'gw.one.svc')}, ${legacy('config-istio', 'gw.two.svc')}}`,
      'two',
    ],
    ['a value without dots', `config: {${legacy('istio', 'nonsense')}}`, 'istio-system'],
    ['the list', `config: {istio: {local-gateways: ${structured}}}`, 'structured'],
    [
      'list and old key, the list winning',
      `config: {istio: {local-gateways: ${structured}, local-gateway.test-ns.knative-local-gateway: gw.old.svc}}`,
      'structured',
    ],
    ['a list that is not YAML', 'config: {istio: {local-gateways: "a: [b"}}', 'istio-system'],
    ['a list without that gateway', 'config: {istio: {local-gateways: "- name: x"}}', 'istio-system'],
  ])('puts the local gateway Service, with %s, where Istio’s gateway runs', (_title, spec, namespace) => {
    expect(local(spec).metadata).toEqual({ name: 'knative-local-gateway', namespace });
  });

  test('replaces the selectors of both gateway Services by their overrides', () => {
    const spec =
      'ingress: {istio: {knative-local-gateway: {selector: {l: "1"}}, knative-ingress-gateway: {selector: {i: "1"}}}}';
    expect(local(spec)['spec']).toEqual({ selector: { l: '1' } });
    const ingress = ingressService(service('knative-ingress-gateway'), servingContext(spec));
    expect(ingress['spec']).toEqual({ selector: { i: '1' } });
    expect(ingress.metadata).toEqual(service('knative-ingress-gateway').metadata);
  });

  test('leaves other Services alone', () => {
    const other = service('controller');
    expect(ingressService(other, servingContext())).toBe(other);
  });
});
