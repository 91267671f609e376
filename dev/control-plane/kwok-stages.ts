/** Stages of the simulated kubelet: kwok ships none when it is built as a bare binary. */
export const kwokStages: readonly object[] = [
  stage('node-initialize', { kind: 'Node' }, {
    matchExpressions: [{ key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: 'NotIn', values: ['True'] }],
  }, `conditions:
- lastHeartbeatTime: {{ Now | Quote }}
  lastTransitionTime: {{ Now | Quote }}
  message: simulated node is ready
  reason: KubeletReady
  status: "True"
  type: Ready
allocatable: { cpu: 1k, memory: 1Ti, pods: 1M }
capacity: { cpu: 1k, memory: 1Ti, pods: 1M }
phase: Running
`),
  stage('pod-ready', { kind: 'Pod' }, {
    matchExpressions: [
      { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
      { key: '.status.podIP', operator: 'DoesNotExist' },
    ],
  }, `{{ $now := Now }}
conditions:
{{ range (list "Initialized" "Ready" "ContainersReady") }}
- { lastTransitionTime: {{ $now | Quote }}, status: "True", type: {{ . | Quote }} }
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  name: {{ .name | Quote }}
  ready: true
  restartCount: 0
  started: true
  state: { running: { startedAt: {{ $now | Quote }} } }
{{ end }}
hostIP: 10.1.0.1
podIP: 10.1.1.1
phase: Running
startTime: {{ $now | Quote }}
`),
  stage('pod-complete', { kind: 'Pod' }, {
    matchExpressions: [
      { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' },
      { key: '.status.phase', operator: 'In', values: ['Running'] },
      { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] },
    ],
  }, `{{ $now := Now }}
{{ $root := . }}
containerStatuses:
{{ range .spec.containers }}
- image: {{ .image | Quote }}
  name: {{ .name | Quote }}
  ready: false
  restartCount: 0
  started: false
  state: { terminated: { exitCode: 0, finishedAt: {{ $now | Quote }}, reason: Completed, startedAt: {{ $now | Quote }} } }
{{ end }}
phase: Succeeded
`),
  {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name: 'pod-delete' },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: { matchExpressions: [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }] },
      next: { delete: true, finalizers: { empty: true } },
    },
  },
];

function stage(name: string, type: { kind: string }, selector: object, statusTemplate: string): object {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: { resourceRef: { apiGroup: 'v1', kind: type.kind }, selector, next: { statusTemplate } },
  };
}
