#!/usr/bin/env bash
# Temporal and this software on the hub.
source "$(dirname "$0")/environment.sh"
require docker kind helm

say 'the image'
docker build -t "$image" "$root"
kind load docker-image "$image" --name "$hub"

say 'Temporal, in memory'
on_hub apply -f "$here/manifests/temporal.yaml"
on_hub rollout status deployment/temporal -n temporal --timeout="${limit}s"

say 'worker and starter'
helm --kube-context "kind-$hub" upgrade --install knative-fleet "$root/deploy/charts/knative-fleet" \
  --namespace knative-operator --create-namespace --values "$here/operator-values.yaml" \
  --set image.repository="${image%:*}" --set image.tag="${image##*:}" --set image.pullPolicy=Never
for part in worker starter; do
  on_hub rollout status "deployment/knative-fleet-$part" -n knative-operator --timeout="${limit}s"
done
