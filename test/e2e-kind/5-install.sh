#!/usr/bin/env bash
# Serving on both spokes and Eventing on the first, and real traffic to a Knative Service on each.
source "$(dirname "$0")/environment.sh"
require curl

say 'resources on the hub'
on_hub apply -f "$here/manifests/components.yaml"
on_hub wait knativeservings,knativeeventings --all -n platform --for=condition=Ready --timeout="${limit}s"
on_hub get knativeservings,knativeeventings -n platform -o wide

for spoke in "${spokes[@]}"; do
  say "a Knative Service on $spoke"
  on "$spoke" apply -f "$here/manifests/hello.yaml"
  on "$spoke" wait ksvc/hello -n default --for=condition=Ready --timeout="${limit}s"
  "$here/traffic.sh" "$spoke"
done
