import { describe, expect, test } from 'vitest';

import { selectedIngresses } from '../../../../domain/serving/ingress/ingresses.ts';
import { servingContext } from '../../../support/rendering.ts';

describe('selectedIngresses', () => {
  test.each([
    ['{}', ['istio']],
    ['ingress: {}', []],
    ['ingress: {istio: {enabled: false}}', []],
    ['ingress: {kourier: {enabled: true}}', ['kourier']],
    [
      'ingress: {gateway-api: {enabled: true}, kourier: {enabled: true}, istio: {enabled: true}, contour: {enabled: true}}',
      ['istio', 'contour', 'kourier', 'gateway-api'],
    ],
  ])('of spec %s are %o', (spec, bundles) => {
    expect(selectedIngresses(servingContext(spec).spec.ingress).map(({ bundle }) => bundle)).toEqual(bundles);
  });
});
