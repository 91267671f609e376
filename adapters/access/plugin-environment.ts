import type { PluginCall } from './profile-access.ts';

const inherited = [
  'PATH',
  'HOME',
  'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_SERVICE_PORT',
  'KUBECONFIG',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * The whole environment of a plugin: a few variables of this process, then the configured ones, then its input. Nothing
 * else of this process reaches it.
 */
export function pluginEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  call: PluginCall,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const name of inherited) {
    const value = own[name];
    if (value !== undefined) environment[name] = value;
  }
  for (const { name, value } of call.env) environment[name] = value;
  environment['KUBERNETES_EXEC_INFO'] = JSON.stringify(execInfo(call));
  return environment;
}

function execInfo(call: PluginCall): unknown {
  const cluster = call.clusterInfo === undefined ? {} : { cluster: call.clusterInfo };
  return { apiVersion: call.apiVersion, kind: 'ExecCredential', spec: { interactive: false, ...cluster } };
}
