import type { Cluster } from '../../../dev/control-plane/cluster.ts';
import type { HttpProxy, HttpProxyOptions } from '../../../dev/fault-proxy/start-http-proxy.ts';
import { startHttpProxy } from '../../../dev/fault-proxy/start-http-proxy.ts';
import type { TcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { startTcpProxy } from '../../../dev/fault-proxy/start-tcp-proxy.ts';
import { registerSpoke } from '../../../dev/operator/register-spoke.ts';
import type { Certificates } from '../../../dev/certificates/make-certificates.ts';
import type { Component } from '../../support/operator-fleet.ts';
import { eventingOn, inventoryNamespace, servingOn } from '../../support/operator-fleet.ts';

/** One component on a real cluster that is reached only through two proxies: TCP in front of HTTP. */
export interface FaultySpoke {
  readonly component: Component;
  readonly tcp: TcpProxy;
  readonly http: HttpProxy;
  stop(): Promise<void>;
}

export interface FaultySpokeOptions extends Pick<HttpProxyOptions, 'protocol' | 'prefix'> {
  readonly hub: Cluster;
  readonly cluster: Cluster;
  /** Of the ClusterProfile and of the component. */
  readonly name: string;
  readonly kind: Component['kind'];
  readonly certificates: Certificates;
  /** The token in the Secret; default the cluster's own. */
  readonly token?: string;
  readonly spec?: object;
}

/** Registers a cluster under a name and an address of its own. A cluster takes one component of each kind. */
export async function startFaultySpoke(options: FaultySpokeOptions): Promise<FaultySpoke> {
  const { hub, cluster, name, certificates } = options;
  const { protocol, prefix } = options;
  const http = await startHttpProxy({
    target: cluster,
    certificate: certificates.server,
    ...(protocol === undefined ? {} : { protocol }),
    ...(prefix === undefined ? {} : { prefix }),
  });
  const tcp = await startTcpProxy({ host: '127.0.0.1', port: http.port });
  const server = `https://127.0.0.1:${String(tcp.port)}${prefix ?? ''}`;
  const token = options.token ?? cluster.token;
  const spoke = { name, server, caPem: certificates.authority, token };
  await registerSpoke({ hub, spoke, namespace: inventoryNamespace });
  const componentOn = options.kind === 'KnativeServing' ? servingOn : eventingOn;
  return {
    component: { ...componentOn({ ...cluster, name }, options.spec), name },
    tcp,
    http,
    async stop() {
      await tcp.stop();
      await http.stop();
    },
  };
}
