import { componentApi } from '../../domain/api/component-ref.ts';
import { parseComponent } from '../../domain/api/parse-component.ts';
import { isInventoried } from '../../domain/manifests/inventory.ts';
import { keyOf } from '../../domain/manifests/object.ts';
import type { SpecOfKind } from '../../domain/select-release.ts';
import type { Component } from './operator-fleet.ts';
import { renderShared } from './render-shared.ts';

/** Identities of what a resource wants on its target, CRDs left out, with the real releases; sorted. */
export function wantedKeys(component: Component): readonly string[] {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'anchor', uid: 'anchor' };
  const installNamespace = componentApi[component.kind].nameLabel;
  const { release } = renderShared(specOf(component), { installNamespace, owner });
  return release.objects.filter(isInventoried).map(keyOf).toSorted();
}

function specOf({ kind, namespace, name, spec }: Component): SpecOfKind {
  const resource = { apiVersion: componentApi.apiVersion, kind, metadata: { namespace, name }, spec };
  return kind === 'KnativeServing'
    ? { kind, spec: parseComponent(kind, resource).spec ?? {} }
    : { kind, spec: parseComponent(kind, resource).spec ?? {} };
}
