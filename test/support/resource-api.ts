import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { inject } from 'vitest';
import { parseAllDocuments } from 'yaml';

import type { ComponentKind } from '../../domain/api/component-ref.ts';
import { componentApi, componentKinds } from '../../domain/api/component-ref.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, stringAt } from '../../domain/manifests/object.ts';
import { until } from '../../dev/processes/until.ts';
import { componentCrd } from '../../scripts/crds/component-crd.ts';
import type { RawAnswer, RawApi } from './raw-api.ts';
import { createRawApi } from './raw-api.ts';

/** The two kinds on the real API server of the hub, in a namespace of the test's own. */
export interface ResourceApi extends RawApi {
  readonly namespace: string;
  /** Path of a kind in the namespace, or of one resource. */
  path(kind: ComponentKind, name?: string): string;
  resource(kind: ComponentKind, name: string, spec: unknown): ManifestObject;
  /** Server-side apply by one field manager, forced. */
  apply(path: string, object: unknown, query?: string): Promise<RawAnswer>;
}

const yaml = 'application/apply-patch+yaml';

export async function openResourceApi(): Promise<ResourceApi> {
  const api = createRawApi(inject('fleet').hub);
  const namespace = `api-${randomUUID().slice(0, 8)}`;
  const apply: ResourceApi['apply'] = (path, object, query = '') =>
    api.send({
      method: 'PATCH',
      path: `${path}?fieldManager=test&force=true${query}`,
      body: object,
      contentType: yaml,
    });
  const path: ResourceApi['path'] = (kind, name) =>
    `/apis/${componentApi.apiVersion}/namespaces/${namespace}/${componentApi[kind].plural}${name === undefined ? '' : `/${name}`}`;
  await applyCrds(apply);
  await succeed(
    apply(`/api/v1/namespaces/${namespace}`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    }),
  );
  for (const kind of componentKinds) {
    await until(`${kind} is served`, 30_000, async () => {
      const { status } = await api.send({ method: 'GET', path: path(kind) });
      return status === 200 || undefined;
    });
  }
  return {
    ...api,
    namespace,
    path,
    apply,
    resource: (kind, name, spec) => ({
      apiVersion: componentApi.apiVersion,
      kind,
      metadata: { name, namespace },
      ...(spec === undefined ? {} : { spec }),
    }),
  };
}

/** The objects of a YAML file of the repository. */
export async function repositoryObjects(path: string): Promise<readonly ManifestObject[]> {
  const text = await readFile(resolve(import.meta.dirname, '../..', path), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as ManifestObject);
}

/** Rejects with the server's message unless the answer is a success. */
export async function succeed(answer: Promise<RawAnswer>): Promise<RawAnswer> {
  const { status, message, body } = await answer;
  if (status >= 300) throw new Error(`the API server answered ${String(status)}: ${message}`);
  return { status, message, body };
}

async function applyCrds(apply: ResourceApi['apply']): Promise<void> {
  for (const kind of componentKinds) {
    const crd = componentCrd(kind);
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name ?? ''}`;
    await succeed(apply(path, crd));
    await until(`the CRD of ${kind} is established`, 30_000, async () => {
      const { body } = await succeed(apply(path, crd));
      return listAt(body, 'status', 'conditions').find(
        (condition) =>
          stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True',
      );
    });
  }
}
