interface Expression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

const alive: Expression = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };

/**
 * What the simulated node does with itself and its Pods. Pods run and are ready at once; those of Jobs then succeed;
 * deleted ones are gone. Heartbeats are left out: no controller here looks at them.
 */
export const kwokStages: readonly object[] = [
  stage('node-ready', 'Node', {
    when: [{ key: '.status.phase', operator: 'NotIn', values: ['Running'] }],
    status: `
phase: Running
conditions:
- { type: Ready, status: "True", reason: Simulated, lastHeartbeatTime: {{ Now | Quote }}, lastTransitionTime: {{ Now | Quote }} }
allocatable: { cpu: "1000", memory: 1Ti, pods: "100000" }
capacity: { cpu: "1000", memory: 1Ti, pods: "100000" }
`,
  }),
  stage('pod-ready', 'Pod', {
    when: [alive, { key: '.status.podIP', operator: 'DoesNotExist' }],
    status: `
{{ $now := Now | Quote }}
phase: Running
hostIP: 10.1.0.1
podIP: 10.1.1.1
podIPs: [{ ip: 10.1.1.1 }]
startTime: {{ $now }}
conditions:
{{ range (list "PodReadyToStartContainers" "Initialized" "ContainersReady" "Ready") }}
- { type: {{ . | Quote }}, status: "True", lastTransitionTime: {{ $now }} }
{{ end }}
{{ if .spec.initContainers }}
initContainerStatuses:
{{ range .spec.initContainers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  {{ if eq .restartPolicy "Always" }}
  started: true
  state: { running: { startedAt: {{ $now }} } }
  {{ else }}
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now }}, finishedAt: {{ $now }} } }
  {{ end }}
{{ end }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  started: true
  restartCount: 0
  state: { running: { startedAt: {{ $now }} } }
{{ end }}
`,
  }),
  stage('job-pod-complete', 'Pod', {
    when: [
      alive,
      { key: '.status.phase', operator: 'In', values: ['Running'] },
      { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] },
    ],
    status: `
{{ $now := Now | Quote }}
phase: Succeeded
conditions:
{{ range (list "ContainersReady" "Ready") }}
- { type: {{ . | Quote }}, status: "False", reason: PodCompleted, lastTransitionTime: {{ $now }} }
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: false
  started: false
  restartCount: 0
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now }}, finishedAt: {{ $now }} } }
{{ end }}
`,
  }),
  {
    ...envelope('pod-delete'),
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: { matchExpressions: [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }] },
      next: { delete: true },
    },
  },
];

function stage(
  name: string,
  kind: 'Node' | 'Pod',
  rule: { when: readonly Expression[]; status: string },
): object {
  return {
    ...envelope(name),
    spec: {
      resourceRef: { apiGroup: 'v1', kind },
      selector: { matchExpressions: rule.when },
      next: { patches: [{ subresource: 'status', root: 'status', template: rule.status }] },
    },
  };
}

function envelope(name: string): object {
  return { apiVersion: 'kwok.x-k8s.io/v1alpha1', kind: 'Stage', metadata: { name } };
}
