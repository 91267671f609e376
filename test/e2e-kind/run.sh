#!/usr/bin/env bash
# Everything in order; the clusters stay, remove them with: run.sh down
source "$(dirname "$0")/environment.sh"

if [ "${1:-}" = down ]; then
  for cluster in "$hub" "${spokes[@]}"; do kind delete cluster --name "$cluster"; done
  exit
fi
require docker kind kubectl helm clusteradm curl
for script in "$here"/[1-7]-*.sh; do "$script"; done
say 'everything held'
