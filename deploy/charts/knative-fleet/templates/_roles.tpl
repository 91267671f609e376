{{- /* A role with generated rules, and its binding. Takes root, kind, name, rules, account and, for a Role, namespace. */ -}}
{{- define "knative-fleet.role" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}
metadata:
  name: {{ .name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "knative-fleet.labels" .root | nindent 4 }}
rules:
  {{- .root.Files.Get (printf "files/rules/%s.yaml" .rules) | nindent 2 }}
---
{{ include "knative-fleet.binding" . }}
{{- end -}}

{{- define "knative-fleet.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}Binding
metadata:
  name: {{ .name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "knative-fleet.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .name }}
subjects:
  - kind: ServiceAccount
    name: knative-fleet-{{ .account }}
    namespace: {{ .root.Release.Namespace }}
{{- end -}}
