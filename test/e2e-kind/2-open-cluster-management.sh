#!/usr/bin/env bash
# Open Cluster Management: the spokes join the hub, which then has a ClusterProfile for each, whose address is
# cluster-proxy on the hub and whose token comes from a managed service account.
source "$(dirname "$0")/environment.sh"
require clusteradm helm

say 'the hub'
clusteradm init --context "kind-$hub" --feature-gates=ClusterProfile=true --wait
token=$(clusteradm get token --context "kind-$hub" -o json | sed -nE 's/.*"hub-token": *"([^"]+)".*/\1/p')
server=$(kind get kubeconfig --name "$hub" --internal | sed -nE 's/^ *server: (.*)/\1/p')

for spoke in "${spokes[@]}"; do
  say "$spoke joins"
  clusteradm join --context "kind-$spoke" --cluster-name "$spoke" --hub-token "$token" --hub-apiserver "$server" \
    --force-internal-endpoint-lookup --wait
done
clusteradm accept --context "kind-$hub" --clusters "$(IFS=,; echo "${spokes[*]}")" --wait

say 'one cluster set, bound to the namespace of the operator'
on_hub apply -f "$here/manifests/cluster-set.yaml"
for spoke in "${spokes[@]}"; do
  on_hub label managedcluster "$spoke" cluster.open-cluster-management.io/clusterset=knative-fleet --overwrite
done

say 'the way to the spokes, and the credentials for them'
helm repo add ocm "$ocm_repo" --force-update
helm --kube-context "kind-$hub" upgrade --install cluster-proxy ocm/cluster-proxy \
  --namespace open-cluster-management-addon --create-namespace \
  --set featureGates.clusterProfileAccessProvider=true --set enableServiceProxy=true --set userServer.enabled=true
helm --kube-context "kind-$hub" upgrade --install managed-serviceaccount ocm/managed-serviceaccount \
  --namespace open-cluster-management-addon --create-namespace \
  --set agentInstallAll=true --set featureGates.clusterProfileCredSyncer=true

for spoke in "${spokes[@]}"; do
  say "$spoke: account and rights"
  on "$spoke" apply -f "$root/deploy/spoke/cluster-role.yaml"
  sed "s/SPOKE/$spoke/g" "$here/manifests/managed-service-account.yaml" | on_hub apply -f -
  # The agent makes the account in its own namespace on the spoke.
  until_true on "$spoke" get serviceaccount knative-fleet -n open-cluster-management-agent-addon
  on "$spoke" apply -f "$here/manifests/spoke-rights.yaml"
  until_true on_hub get secret "$spoke-knative-fleet" -n knative-operator
  on_hub wait clusterprofile "$spoke" -n knative-operator --for=condition=ControlPlaneHealthy --timeout="${limit}s"
done
