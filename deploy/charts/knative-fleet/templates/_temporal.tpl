{{- /* Connection settings as the Temporal CLI reads them. Secrets are mounted or referenced, never written out. */ -}}
{{- define "knative-fleet.temporal-env" -}}
{{- $tls := .tls -}}
- name: TEMPORAL_ADDRESS
  value: {{ .address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .namespace | quote }}
{{- if or $tls.enabled .apiKey.secret }}
- name: TEMPORAL_TLS
  value: 'true'
{{- end }}
{{- if $tls.clientSecret }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /etc/temporal/client/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /etc/temporal/client/tls.key
{{- end }}
{{- if $tls.caSecret }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/temporal/ca/ca.crt
{{- else if $tls.trustCa }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/temporal/client/ca.crt
{{- end }}
{{- with $tls.serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ . | quote }}
{{- end }}
{{- if .apiKey.secret }}
- name: TEMPORAL_API_KEY
  valueFrom:
    secretKeyRef: { name: {{ .apiKey.secret | quote }}, key: {{ .apiKey.key | quote }} }
{{- end }}
{{- end -}}

{{- define "knative-fleet.temporal-mounts" -}}
{{- if .tls.clientSecret }}
- { name: temporal-client, mountPath: /etc/temporal/client, readOnly: true }
{{- end }}
{{- if .tls.caSecret }}
- { name: temporal-ca, mountPath: /etc/temporal/ca, readOnly: true }
{{- end }}
{{- end -}}

{{- define "knative-fleet.temporal-volumes" -}}
{{- if .tls.clientSecret }}
- name: temporal-client
  secret: { secretName: {{ .tls.clientSecret | quote }} }
{{- end }}
{{- if .tls.caSecret }}
- name: temporal-ca
  secret: { secretName: {{ .tls.caSecret | quote }} }
{{- end }}
{{- end -}}
