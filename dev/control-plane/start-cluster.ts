import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ClusterBinary } from '../binaries/tool-modules.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import type { ApiServerFiles } from './api-server-files.ts';
import type { AuditFiles } from './audit-files.ts';
import { writeAuditFiles } from './audit-files.ts';
import { writeApiServerFiles } from './api-server-files.ts';
import type { Cluster, ClusterOptions } from './cluster.ts';
import type { AnswerDial, EgressSink } from './egress-sink.ts';
import { startEgressSink } from './egress-sink.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import type { ApiServer } from './start-api-server.ts';
import { startApiServer } from './start-api-server.ts';
import { startControllers } from './start-controllers.ts';

export interface ClusterSetup extends ClusterOptions {
  readonly name: string;
  /** A folder of its own. */
  readonly folder: string;
  readonly binaries: Readonly<Record<ClusterBinary, string>>;
  readonly etcdUrl: string;
  readonly answerDial?: AnswerDial | undefined;
}

export interface StartedCluster {
  readonly cluster: Cluster;
  readonly sink: EgressSink;
}

interface Parts {
  readonly setup: ClusterSetup;
  readonly files: ApiServerFiles;
  readonly sink: EgressSink;
  readonly kubeconfigPath: string;
  readonly audit: AuditFiles | undefined;
}

interface Running {
  readonly api: ApiServer;
  readonly controllers: readonly ServerProcess[];
}

/** Starts one API server with, if wanted, its controllers. The sink is the caller's to stop, after the cluster. */
export async function startCluster(setup: ClusterSetup): Promise<StartedCluster> {
  await mkdir(setup.folder, { recursive: true, mode: 0o700 });
  const files = await writeApiServerFiles(setup.folder, setup.users ?? []);
  const audit = await writeAuditFiles(setup.folder, setup.auditedUsers ?? []);
  const sink = await startEgressSink(setup.folder, setup.name, setup.answerDial);
  try {
    const parts = { setup, files, sink, audit, kubeconfigPath: join(setup.folder, 'kubeconfig') };
    return { cluster: createCluster(parts, await startServers(parts)), sink };
  } catch (error) {
    await sink.stop();
    throw error;
  }
}

async function startServers(parts: Parts, port?: number): Promise<Running> {
  const { setup, files, sink, audit, kubeconfigPath } = parts;
  const { binaries, folder } = setup;
  const api = await startApiServer({
    binary: binaries['kube-apiserver'],
    name: setup.name,
    folder,
    files,
    etcdUrl: setup.etcdUrl,
    egressConfig: sink.configFile,
    audit,
    port,
  });
  if (setup.controllers === false) {
    await writeFile(kubeconfigPath, kubeconfigOf(api), { mode: 0o600 });
    return { api, controllers: [] };
  }
  try {
    await writeFile(kubeconfigPath, kubeconfigOf(api), { mode: 0o600 });
    const { serviceAccountKey } = files;
    const controllers = await startControllers({
      binaries,
      folder,
      kubeconfigPath,
      serviceAccountKey,
      access: api,
    });
    return { api, controllers };
  } catch (error) {
    await api.process.stop();
    throw error;
  }
}

function createCluster(parts: Parts, first: Running): Cluster {
  const { server, token, caPem, port } = first.api;
  let running: Running | undefined = first;
  let pid = first.api.process.pid;
  const stop = async (): Promise<void> => {
    const { api, controllers } = running ?? { api: undefined, controllers: [] };
    running = undefined;
    await Promise.all(controllers.map((process) => process.stop()));
    await api?.process.stop();
  };
  return {
    name: parts.setup.name,
    server,
    token,
    caPem,
    caFile: parts.files.caFile,
    kubeconfigPath: parts.kubeconfigPath,
    kubectlPath: parts.setup.binaries.kubectl,
    auditLog: parts.audit?.log,
    get pid() {
      return pid;
    },
    pause: () => running?.api.process.pause(),
    resume: () => running?.api.process.resume(),
    stop,
    async restart() {
      await stop();
      running = await startServers(parts, port);
      pid = running.api.process.pid;
    },
  };
}
