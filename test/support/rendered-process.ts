import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from '../../dev/processes/free-port.ts';
import type { ServerProcess } from '../../dev/processes/server-process.ts';
import { startServerProcess } from '../../dev/processes/server-process.ts';
import type { ManifestObject } from '../../domain/manifests/object.ts';
import { listAt, recordAt, stringAt } from '../../domain/manifests/object.ts';

export interface RenderedProcessOptions {
  /** Everything that the chart made. */
  readonly objects: readonly ManifestObject[];
  /** Of a Deployment with one container. */
  readonly deployment: string;
  /** Starts what the image holds; the container's arguments follow. */
  readonly command: readonly string[];
  /** What a pod has from the image and from the kubelet. */
  readonly environment: Readonly<Record<string, string>>;
  /** For volumes and the log. */
  readonly folder: string;
}

export interface RenderedProcess extends ServerProcess {
  /** URL of a probe of the container, as rendered. */
  probe(name: 'livenessProbe' | 'readinessProbe'): string;
}

/**
 * Runs the container of a rendered Deployment as a process: with its arguments and environment, in which the paths of
 * its volumes are those of folders with the same content, and all addresses are on loopback.
 */
export async function startRenderedProcess(options: RenderedProcessOptions): Promise<RenderedProcess> {
  const deployment = options.objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === options.deployment,
  );
  const pod = recordAt(deployment, 'spec', 'template', 'spec');
  const [container] = listAt(pod, 'containers');
  const paths = await mountVolumes(options, pod, container);
  const port = String(await freePort());
  const local = (text: string): string =>
    paths
      .reduce((result, [inside, outside]) => result.replaceAll(inside, outside), text)
      .replace(/^0\.0\.0\.0:\d+$/, `127.0.0.1:${port}`);
  const namespace = deployment?.metadata.namespace ?? '';
  const variables = listAt(container, 'env').map((entry) => [
    stringAt(entry, 'name') ?? '',
    local(valueOf(entry, namespace)),
  ]);
  const [command = '', ...args] = [...options.command, ...listAt(container, 'args').map(String).map(local)];
  const started = await startServerProcess({
    command,
    args,
    env: { ...options.environment, ...Object.fromEntries(variables) },
    logFile: join(options.folder, `${options.deployment}.log`),
  });
  return {
    ...started,
    probe: (name) => `http://127.0.0.1:${port}${stringAt(container, name, 'httpGet', 'path') ?? ''}`,
  };
}

function valueOf(entry: unknown, namespace: string): string {
  const field = stringAt(entry, 'valueFrom', 'fieldRef', 'fieldPath');
  if (field === 'metadata.namespace') return namespace;
  const value = stringAt(entry, 'value');
  if (value === undefined) throw new Error(`no value for ${JSON.stringify(entry)}`);
  return value;
}

/** Pairs of the path in the container and the one here; images are left out. */
async function mountVolumes(
  options: RenderedProcessOptions,
  pod: unknown,
  container: unknown,
): Promise<readonly (readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = [];
  for (const mount of listAt(container, 'volumeMounts')) {
    const name = stringAt(mount, 'name') ?? '';
    const volume = listAt(pod, 'volumes').find((candidate) => stringAt(candidate, 'name') === name);
    const outside = await folderOf(options, name, volume);
    if (outside !== undefined) pairs.push([stringAt(mount, 'mountPath') ?? '', outside]);
  }
  // Longer paths first: /tmp must not match inside of another one.
  return pairs.filter(([inside]) => inside !== '/tmp').toSorted(([a], [b]) => b.length - a.length);
}

async function folderOf(
  { objects, folder }: RenderedProcessOptions,
  name: string,
  volume: unknown,
): Promise<string | undefined> {
  const host = stringAt(volume, 'hostPath', 'path');
  if (host !== undefined) return host;
  const path = join(folder, 'volumes', name);
  const configMap = stringAt(volume, 'configMap', 'name');
  if (configMap === undefined && recordAt(volume, 'image')['reference'] !== undefined) return undefined;
  await mkdir(path, { recursive: true });
  const source = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMap);
  for (const [file, text] of Object.entries(recordAt(source, 'data')))
    await writeFile(join(path, file), String(text));
  return path;
}
