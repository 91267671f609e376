#!/usr/bin/env bash
# Envoy Gateway on both spokes, with a Gateway for traffic from outside and one for traffic inside the cluster.
source "$(dirname "$0")/environment.sh"
require helm

for spoke in "${spokes[@]}"; do
  say "Envoy Gateway on $spoke"
  helm --kube-context "kind-$spoke" upgrade --install envoy-gateway "$gateway_chart" --version "$gateway_version" \
    --namespace envoy-gateway-system --create-namespace --wait
  on "$spoke" apply -f "$here/manifests/gateways.yaml"
  for gateway in knative-external knative-local; do
    on "$spoke" wait "gateway/$gateway" -n envoy-gateway-system --for=condition=Programmed --timeout="${limit}s"
  done
done
