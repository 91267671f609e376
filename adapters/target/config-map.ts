import { isOperatorError } from '../../domain/errors.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import type { ClusterClient } from '../kubernetes/cluster-client.ts';
import { forgetWrite, recentWrite, rememberWrite } from './recent-writes.ts';

interface ConfigMapContent {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly binaryData: Readonly<Record<string, unknown>>;
}

/** One ConfigMap that several writers may change at once. */
export interface ConfigMap {
  readonly name: string;
  read(signal?: AbortSignal): Promise<ManifestObject | undefined>;
  /** As this process wrote it, when that was in the last 3 s; else as `read`. */
  readOwn(signal?: AbortSignal): Promise<ManifestObject | undefined>;
  /** Changes with every write of the object; undefined when there is none. Cheaper than a read. */
  version(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Writes what `change` makes of the present object, with resourceVersion; undefined writes nothing. Takes what was
   * read last as present, and reads again when that was outdated.
   */
  change(change: (found: ManifestObject | undefined) => ConfigMapContent | undefined): Promise<void>;
  /** Removes what was read last; rejects with Conflict when that was changed or made anew since. */
  remove(): Promise<void>;
}

const attempts = 8;

export function createConfigMap(client: ClusterClient, at: { namespace: string; name: string }): ConfigMap {
  const objectRef = { apiVersion: 'v1', kind: 'ConfigMap', ...at };
  const key = `${at.namespace}/${at.name}`;
  let seen: { readonly found: ManifestObject | undefined } | undefined;
  const read: ConfigMap['read'] = async (signal) => {
    const found = await client.get(objectRef, { signal });
    seen = { found };
    return found;
  };
  const tryToChange: ConfigMap['change'] = async (change) => {
    const found = seen === undefined ? await read() : seen.found;
    seen = undefined;
    const content = change(found);
    if (content === undefined) return;
    const { binaryData, ...marks } = content;
    const metadata = { ...found?.metadata, ...at, ...marks };
    const object: ManifestObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData };
    forgetWrite(client, key);
    const written = await (found === undefined ? client.create(object) : client.replace(object));
    rememberWrite(client, key, written);
  };
  return {
    name: at.name,
    read,
    async readOwn(signal) {
      const found = recentWrite(client, key);
      if (found === undefined) return read(signal);
      seen = { found };
      return found;
    },
    async version(signal) {
      const found = await client.get(objectRef, { signal, metadataOnly: true });
      if (found === undefined) return undefined;
      return `${found.metadata.uid ?? ''}/${found.metadata.resourceVersion ?? ''}`;
    },
    async change(change) {
      for (let attempt = 1; ; attempt++) {
        try {
          await tryToChange(change);
          return;
        } catch (error) {
          if (!isOperatorError(error, 'Conflict') || attempt === attempts) throw error;
        }
      }
    },
    async remove() {
      const found = seen === undefined ? await read() : seen.found;
      seen = undefined;
      if (found === undefined) return;
      forgetWrite(client, key);
      const { uid, resourceVersion } = found.metadata;
      await client.delete(objectRef, { uid, resourceVersion, propagation: 'Background' });
    },
  };
}
