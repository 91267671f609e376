#!/usr/bin/env bash
# Takes the pictures of docs/temporal-ui.md from the running demo: npm run demo, then in a shell that sourced demo.env
#   dev/demo/screenshots.sh [FOLDER]
# Needs Chromium (CHROMIUM, else chromium) and ends the demo's use: eventing is deleted while its spoke is frozen, and stays so.
set -euo pipefail
: "${TEMPORAL_UI:?source demo.env first}"
folder=${1:-$(dirname "$0")/../../docs/images}

# shot NAME WIDTHxHEIGHT PATH
shot() {
  node --disable-warning=ExperimentalWarning "$(dirname "$0")/screenshot.ts" \
    "$TEMPORAL_UI/namespaces/$TEMPORAL_NAMESPACE/workflows$3" "$folder/$1.png" "$2"
  echo "$folder/$1.png"
}

# page ID TAB: the open run of a workflow.
page() {
  local run
  run=$(temporal workflow describe -w "$1" -o json | sed -nE 's/^ *"runId": "([^"]+)".*/\1/p' | head -n 1)
  echo "/${1//\//%2F}/$run/$2"
}

until_phase() {
  until temporal workflow list --query "WorkflowId = '$1' AND ExecutionStatus = 'Running' AND $2" | grep -q "$1"; do sleep 1; done
}

kubectl apply -f - <<'YAML'
apiVersion: operator.knative.dev/v1beta1
kind: KnativeEventing
metadata: { name: events, namespace: platform }
spec:
  version: '1.22'
  destination: { clusterProfileRef: { name: spoke-1, namespace: fleet } }
  workloads: [{ name: imc-controller, nodeSelector: { pool: events } }]
YAML
until_phase KnativeEventing/platform/events "KnPhase = 'Waiting'"
until temporal workflow query -w KnativeEventing/platform/events --type describe | grep -q imc-controller; do sleep 1; done
shot temporal-ui-list 1400x703 "?query=$(printf '%s' "KnSpoke=\"fleet/spoke-1\" AND ExecutionStatus=\"Running\"" | sed 's/ /%20/g; s/"/%22/g; s|/|%2F|g')"
shot temporal-ui-installing 1400x900 "$(page KnativeEventing/platform/events user-metadata)"
shot temporal-ui-workflow 1400x1100 "$(page KnativeServing/platform/serving timeline)"
shot temporal-ui-ready 1400x803 "$(page KnativeServing/platform/serving user-metadata)"

kill -STOP "$SPOKE_2_PID"
kubectl delete knativeeventing eventing -n platform --wait=false
until_phase KnativeEventing/platform/eventing "KnPhase = 'Finalizing' AND KnReason = 'SpokeUnreachable'"
shot temporal-ui-blocked-finalization 1400x943 "$(page KnativeEventing/platform/eventing user-metadata)"
kill -CONT "$SPOKE_2_PID"
