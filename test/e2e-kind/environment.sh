# Names, versions and waits of the scripts beside; sourced by each.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

hub=${HUB_CLUSTER:-fleet-hub}
spokes=(fleet-spoke-1 fleet-spoke-2)
image=${IMAGE:-knative-fleet:e2e}
ocm_repo=${OCM_CHARTS:-https://open-cluster-management.io/helm-charts}
gateway_chart=${ENVOY_GATEWAY_CHART:-oci://docker.io/envoyproxy/gateway-helm}
gateway_version=${ENVOY_GATEWAY_VERSION:-v1.6.1}
limit=${LIMIT:-600}

on_hub() { kubectl --context "kind-$hub" "$@"; }
on() { kubectl --context "kind-$1" "${@:2}"; }
say() { printf '\n==> %s\n' "$*"; }

# Tries a command once a second until it succeeds, at most $limit seconds.
until_true() {
  local deadline=$((SECONDS + limit))
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > deadline)); then
      echo "did not come true within $limit s: $*" >&2
      "$@" >&2 || true
      return 1
    fi
    sleep 1
  done
}

require() {
  local command missing=()
  for command in "$@"; do command -v "$command" >/dev/null || missing+=("$command"); done
  if ((${#missing[@]} > 0)); then
    echo "missing: ${missing[*]}" >&2
    return 1
  fi
}
