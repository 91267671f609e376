{{- define "knative-fleet.plugin-mounts" -}}
{{- if .enabled }}
- { name: access-config, mountPath: /etc/cluster-inventory, readOnly: true }
{{- range .plugins }}
- { name: {{ printf "plugin-%s" .name | quote }}, mountPath: {{ .mountPath | quote }}, readOnly: true }
{{- end }}
{{- end }}
{{- end -}}

{{- define "knative-fleet.plugin-volumes" -}}
{{- if .enabled }}
- name: access-config
  configMap: { name: clusterprofile-provider-file }
{{- $delivery := .pluginDelivery }}
{{- range .plugins }}
- name: {{ printf "plugin-%s" .name | quote }}
  {{- if eq $delivery "InitContainer" }}
  emptyDir: {}
  {{- else }}
  image: { reference: {{ .image | quote }}, pullPolicy: IfNotPresent }
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "knative-fleet.plugin-init-containers" -}}
{{- $security := .security -}}
{{- range .plugins }}
- name: {{ printf "plugin-%s" .name | quote }}
  image: {{ .image | quote }}
  imagePullPolicy: IfNotPresent
  command: {{ concat (list "cp" "-a") .files (list (printf "%s/" (trimSuffix "/" .mountPath))) | toJson }}
  securityContext:
    {{- $security | nindent 4 }}
  resources:
    requests: { cpu: 10m, memory: 16Mi }
    limits: { memory: 128Mi }
  volumeMounts:
    - { name: {{ printf "plugin-%s" .name | quote }}, mountPath: {{ .mountPath | quote }} }
{{- end }}
{{- end -}}
