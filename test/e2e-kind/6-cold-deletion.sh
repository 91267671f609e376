#!/usr/bin/env bash
# Worker and starter are killed, a resource is deleted while none runs, and both start with nothing in memory: the
# removal must happen all the same, on that spoke only.
source "$(dirname "$0")/environment.sh"

say 'no worker and no starter'
on_hub scale deployment/knative-fleet-worker deployment/knative-fleet-starter -n knative-operator --replicas=0
on_hub wait pod -n knative-operator -l 'app.kubernetes.io/name=knative-fleet' --for=delete --timeout="${limit}s"

say 'the deletion, which waits'
on "${spokes[0]}" delete ksvc hello -n default --timeout="${limit}s"
on_hub delete knativeserving serving-1 -n platform --wait=false
sleep 10
on_hub get knativeserving serving-1 -n platform
on "${spokes[0]}" get deployment controller -n knative-serving

say 'a cold start'
on_hub scale deployment/knative-fleet-worker deployment/knative-fleet-starter -n knative-operator --replicas=1
on_hub wait knativeserving/serving-1 -n platform --for=delete --timeout="${limit}s"

say "nothing of Serving is left on ${spokes[0]} but its definitions; ${spokes[1]} is as it was"
left=$(on "${spokes[0]}" get deployments,services,configmaps,clusterroles,clusterrolebindings -A \
  -l app.kubernetes.io/name=knative-serving -o name)
if [ -n "$left" ]; then
  echo "left behind: $left" >&2
  exit 1
fi
if on "${spokes[0]}" get namespace knative-serving; then exit 1; fi
"$here/traffic.sh" "${spokes[1]}"
