#!/bin/sh
# Makes sure of the namespace and of the search attributes that workflows write. Safe to repeat.
set -eu
namespace=knative-fleet
until temporal operator namespace describe "$namespace" >/dev/null 2>&1; do
  temporal operator namespace create --namespace "$namespace" --retention 168h || sleep 2
done
for attribute in KnSpoke=Keyword KnPhase=Keyword KnReason=Keyword KnVersion=Keyword KnReady=Bool KnAbandoned=Bool KnGeneration=Int KnBlockedSince=Datetime; do
  temporal operator search-attribute create --namespace "$namespace" --name "${attribute%=*}" --type "${attribute#*=}" ||
    echo "search attribute ${attribute%=*} exists"
done
