#!/usr/bin/env bash
# A hub and two spokes on kind.
source "$(dirname "$0")/environment.sh"
require docker kind kubectl

for cluster in "$hub" "${spokes[@]}"; do
  say "cluster $cluster"
  kind get clusters | grep -qx "$cluster" || kind create cluster --name "$cluster" --wait 180s
done
