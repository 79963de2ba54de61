#!/usr/bin/env bash
# What a consumer does, with her own certificate: binds both APIs, orders a Certificate, waits for its
# Secret, lets a Gateway refer to the Certificate, and finds that it cannot be deleted meanwhile.
# Running it again changes nothing.
#
#   KUBECONFIG   of the consumer; its server is her workspace
#   EXAMPLE      the directory docs/getting-started/example
set -euo pipefail

. "$(dirname "$0")/wait.sh"

refused() {
  local answer
  # A dry run: were it allowed, nothing would be lost.
  answer=$(kubectl delete certificates.certificates.example.corp shop --dry-run=server 2>&1) && return 1
  [[ $answer == *"still referenced by Gateway/web"* ]] && echo "$answer"
}

apply() { kubectl apply --server-side -f "$1"; }

apply "$EXAMPLE/certificate-binding.yaml"
apply "$EXAMPLE/gateway-binding.yaml"
wait_for "both APIs are bound" kubectl wait apibinding/certificates apibinding/gateways \
  --for=jsonpath='{.status.phase}'=Bound --timeout=10s
wait_for "Certificates are served" kubectl get certificates.certificates.example.corp
wait_for "Gateways are served" kubectl get gateways.edge.example.corp
apply "$EXAMPLE/certificate.yaml"
apply "$EXAMPLE/gateway.yaml"
wait_for "Secret shop-tls is here" kubectl get secret shop-tls
wait_for "the Certificate is ready" kubectl wait certificates.certificates.example.corp/shop --for=condition=Ready --timeout=10s
wait_for "the deletion of the Certificate is refused" refused
refused
echo "consumer: ready"
