#!/usr/bin/env bash
# The resource is made again, under the same name, and serves traffic; then everything is removed.
source "$(dirname "$0")/environment.sh"

say 'the same resource again'
"$here/5-install.sh"

say 'the end'
for spoke in "${spokes[@]}"; do on "$spoke" delete ksvc --all -n default --timeout="${limit}s"; done
on_hub delete -f "$here/manifests/components.yaml" --timeout="${limit}s"
for spoke in "${spokes[@]}"; do
  for namespace in knative-serving knative-eventing; do
    if on "$spoke" get namespace "$namespace"; then exit 1; fi
  done
done
