import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { parseAllDocuments } from 'yaml';

import { resourceOf } from '../adapters/hub/components.ts';
import type { ComponentResource } from '../adapters/hub/components.ts';
import { componentApi, componentKinds, formatComponentRef } from '../domain/api/component-ref.ts';
import { messageOf } from '../domain/errors.ts';
import type { ManifestObject } from '../domain/manifests/object.ts';
import { isRecord, stringAt } from '../domain/manifests/object.ts';
import { CommandError } from './exit-codes.ts';

/**
 * The one KnativeServing or KnativeEventing of a YAML or JSON file; `-` reads standard input. Throws CommandError
 * `usage` when there is none or more than one.
 */
export async function readResourceFile(path: string): Promise<ComponentResource> {
  const documents = parseAllDocuments(await readText(path));
  const broken = documents.flatMap((document) => document.errors)[0];
  if (broken !== undefined) throw new CommandError('usage', `${path} is not YAML: ${broken.message}`);
  const found = documents.map((document): unknown => document.toJS()).filter(isComponent);
  const [object, second] = found;
  if (object !== undefined && second === undefined) {
    const ref = refOf(object);
    const { namespace } = ref;
    return resourceOf(ref, { ...object, metadata: { ...object.metadata, namespace } });
  }
  const names = found.map((each) => formatComponentRef(refOf(each))).join(', ');
  const what = object === undefined ? 'no component' : `several components (${names})`;
  throw new CommandError(
    'usage',
    `${path} holds ${what}; give a file with one KnativeServing or KnativeEventing of ${componentApi.apiVersion}`,
  );
}

async function readText(path: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError('usage', `${path} cannot be read: ${messageOf(error)}`, error);
  }
}

function isComponent(value: unknown): value is ManifestObject {
  return (
    isRecord(value) &&
    value['apiVersion'] === componentApi.apiVersion &&
    componentKinds.some((kind) => kind === value['kind']) &&
    stringAt(value, 'metadata', 'name') !== undefined
  );
}

function refOf(object: ManifestObject) {
  const kind = componentKinds.find((candidate) => candidate === object.kind) ?? 'KnativeServing';
  const { namespace, name = '' } = object.metadata;
  return { kind, namespace: namespace ?? componentApi[kind].defaultNamespace, name };
}
