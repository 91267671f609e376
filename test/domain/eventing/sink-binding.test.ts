import { describe, expect, test } from 'vitest';

import { sinkBinding } from '../../../domain/eventing/sink-binding.ts';
import { listAt, recordAt } from '../../../domain/manifests/object.ts';
import { podSpecPath } from '../../../domain/manifests/pod-template.ts';
import { deployment, eventingContext } from '../../support/rendering.ts';

const webhook = deployment(
  'eventing-webhook',
  'containers: [{name: eventing-webhook, env: [{name: SINK_BINDING_SELECTION_MODE, value: x}, {name: A}]}, {name: second}]',
);
const override = (value: string, workload = 'eventing-webhook', container = 'eventing-webhook') =>
  `[{name: ${workload}, env: [{container: ${container}, envVars: [{name: SINK_BINDING_SELECTION_MODE, value: ${value}}]}]}]`;

function modes(spec: string): readonly unknown[] {
  const changed = sinkBinding(webhook, eventingContext(spec));
  return listAt(changed, ...podSpecPath, 'containers').map((container) => recordAt(container)['env']);
}

describe('sinkBinding', () => {
  test.each([
    ['{}', 'exclusion'],
    ['sinkBindingSelectionMode: ""', 'exclusion'],
    ['sinkBindingSelectionMode: inclusion', 'inclusion'],
    [`workloads: ${override('inclusion')}`, 'inclusion'],
    [`deployments: ${override('inclusion')}`, 'inclusion'],
    [`{deployments: ${override('old')}, workloads: ${override('new')}}`, 'new'],
    [`{sinkBindingSelectionMode: field, workloads: ${override('override')}}`, 'field'],
    [`workloads: ${override('inclusion', 'other')}`, 'exclusion'],
    [`workloads: ${override('inclusion', 'eventing-webhook', 'other')}`, 'exclusion'],
    [`workloads: ${override('""')}`, 'exclusion'],
  ])('for spec %s sets %s in all containers of the webhook', (spec, value) => {
    const variable = { name: 'SINK_BINDING_SELECTION_MODE', value };
    expect(modes(spec)).toEqual([[variable, { name: 'A' }], [variable]]);
  });

  test('leaves other Deployments alone', () => {
    const other = deployment('webhook');
    expect(sinkBinding(other, eventingContext())).toBe(other);
  });
});
