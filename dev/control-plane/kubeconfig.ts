/** A kubeconfig (JSON is YAML) for one server and one token. */
export function kubeconfigOf(access: { server: string; caPem: string; token: string }): string {
  const authority = Buffer.from(access.caPem).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'cluster', cluster: { server: access.server, 'certificate-authority-data': authority } },
    ],
    users: [{ name: 'user', user: { token: access.token } }],
    contexts: [{ name: 'context', context: { cluster: 'cluster', user: 'user' } }],
    'current-context': 'context',
  });
}
