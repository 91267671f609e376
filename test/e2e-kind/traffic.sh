#!/usr/bin/env bash
# One request to the Knative Service on a spoke, through its external Gateway: traffic.sh SPOKE
source "$(dirname "$0")/environment.sh"
spoke=${1:?which spoke}

host=$(on "$spoke" get ksvc hello -n default -o 'jsonpath={.status.url}')
service=$(on "$spoke" get service -n envoy-gateway-system -o name \
  -l gateway.envoyproxy.io/owning-gateway-name=knative-external | head -n 1)
on "$spoke" port-forward -n envoy-gateway-system --address 127.0.0.1 "$service" 18080:80 >/dev/null &
forward=$!
trap 'kill "$forward"' EXIT
answers() { curl -fsS --max-time 30 -H "Host: ${host#http://}" http://127.0.0.1:18080/ | grep -q 'Hello'; }
until_true answers
echo "$host answered on $spoke"
