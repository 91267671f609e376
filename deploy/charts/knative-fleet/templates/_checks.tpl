{{- /* Everything that the values may not say, each with what to do. Rendered once, by the worker's Deployment. */ -}}
{{- define "knative-fleet.checks" -}}
{{- $operator := .Values.knative_operator -}}
{{- include "knative-fleet.check-successors" $operator -}}
{{- include "knative-fleet.check-multicluster" $operator.multicluster -}}
{{- include "knative-fleet.check-temporal" .Values.temporal -}}
{{- if and .Values.releases.volume .Values.releases.subPath (hasPrefix "/" .Values.releases.subPath) -}}
{{- fail (printf "releases.subPath must be a path inside the volume, got %q" .Values.releases.subPath) -}}
{{- end -}}
{{- end -}}

{{- define "knative-fleet.check-successors" -}}
{{- $deployment := .knative_operator | default dict -}}
{{- range $name, $successor := dict "image" "image.repository" "tag" "image.tag" -}}
{{- if hasKey $deployment $name -}}
{{- fail (printf "knative_operator.knative_operator.%s names the image of the Go operator; remove it, and use %s for another image of knative-fleet" $name $successor) -}}
{{- end -}}
{{- end -}}
{{- if .operator_webhook -}}
{{- fail "knative_operator.operator_webhook is set, but there is no webhook: the API server itself checks the resources. Remove it; the settings of the second Deployment are under starter" -}}
{{- end -}}
{{- end -}}

{{- define "knative-fleet.check-multicluster" -}}
{{- if .enabled -}}
{{- if not .accessProvidersConfig -}}
{{- fail "knative_operator.multicluster.enabled is true but knative_operator.multicluster.accessProvidersConfig is empty; either provide an access-providers config or disable multi-cluster support" -}}
{{- end -}}
{{- $paths := list -}}
{{- $names := list -}}
{{- $initContainers := eq .pluginDelivery "InitContainer" -}}
{{- range $index, $plugin := .plugins -}}
{{- if not (isAbs $plugin.mountPath) -}}
{{- fail (printf "knative_operator.multicluster.plugins[%d].mountPath must be an absolute path, got %q" $index $plugin.mountPath) -}}
{{- end -}}
{{- if has $plugin.name $names -}}
{{- fail (printf "knative_operator.multicluster.plugins[%d].name %q is used twice; volumes need names of their own" $index $plugin.name) -}}
{{- end -}}
{{- if and $initContainers (not $plugin.files) -}}
{{- fail (printf "knative_operator.multicluster.plugins[%d].files is empty; with pluginDelivery InitContainer it names the paths in %s to copy to %s" $index $plugin.image $plugin.mountPath) -}}
{{- end -}}
{{- $names = append $names $plugin.name -}}
{{- $paths = append $paths (clean $plugin.mountPath) -}}
{{- end -}}
{{- range .accessProvidersConfig.providers -}}
{{- include "knative-fleet.check-command" (dict "provider" . "paths" $paths) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "knative-fleet.check-command" -}}
{{- $command := dig "execConfig" "command" "" .provider -}}
{{- if $command -}}
{{- $found := false -}}
{{- range .paths -}}
{{- if hasPrefix (printf "%s/" (trimSuffix "/" .)) (clean $command) -}}
{{- $found = true -}}
{{- end -}}
{{- end -}}
{{- if and (not $found) (not (hasPrefix "/app/dist/plugins/" (clean $command))) -}}
{{- fail (printf "provider %q: command %q is not under any plugins[].mountPath %v" .provider.name $command .paths) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "knative-fleet.check-temporal" -}}
{{- if not .address -}}
{{- fail "temporal.address is empty; give host:port of the Temporal frontend" -}}
{{- end -}}
{{- if and .apiKey.secret .tls.clientSecret -}}
{{- fail "temporal.apiKey.secret and temporal.tls.clientSecret are both set; Temporal takes one kind of credential: remove one" -}}
{{- end -}}
{{- if and (not .tls.enabled) (or .tls.clientSecret .tls.caSecret .tls.trustCa .tls.serverName) -}}
{{- fail "temporal.tls has settings but temporal.tls.enabled is false; set it to true, or remove them" -}}
{{- end -}}
{{- if and .tls.trustCa (not (or .tls.caSecret .tls.clientSecret)) -}}
{{- fail "temporal.tls.trustCa is true, but neither temporal.tls.caSecret nor temporal.tls.clientSecret names a Secret with ca.crt" -}}
{{- end -}}
{{- end -}}
