{{- define "knative-fleet.labels" -}}
app.kubernetes.io/name: knative-fleet
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "knative-fleet.selector" -}}
app.kubernetes.io/name: knative-fleet
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "knative-fleet.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* Settings of a Deployment; for the worker those that have the names of the Go operator's chart win. */ -}}
{{- define "knative-fleet.settings" -}}
{{- $settings := index .root.Values .component -}}
{{- if eq .component "worker" -}}
{{- $settings = mergeOverwrite (deepCopy $settings) (.root.Values.knative_operator.knative_operator | default dict) -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{- define "knative-fleet.pod-security" -}}
{{- $defaults := dict "runAsNonRoot" true "runAsUser" 65532 "runAsGroup" 65532 "fsGroup" 65532 "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- toYaml (mergeOverwrite $defaults (. | default dict)) -}}
{{- end -}}

{{- define "knative-fleet.container-security" -}}
{{- $defaults := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "runAsNonRoot" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- toYaml (mergeOverwrite $defaults (. | default dict)) -}}
{{- end -}}

{{- define "knative-fleet.probes" -}}
ports:
  - name: metrics
    containerPort: {{ .port }}
startupProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 10
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: metrics }
  periodSeconds: 5
{{- end -}}

{{- define "knative-fleet.scheduling" -}}
{{- with .settings.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .settings.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- else }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "knative-fleet.selector" . | nindent 8 }}
{{- end }}
{{- end -}}
