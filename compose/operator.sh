#!/usr/bin/env bash
# Stands for what a service's owner runs on the service cluster: issues each Certificate, by a Secret
# and a condition. Knows nothing of kcp.
#
#   KUBECONFIG   of the service cluster
#   STATE        a directory of its own; the file "round" in it is as old as the last round
set -uo pipefail
umask 077
cd "$STATE"

issue() { # namespace, name, secret, host
  openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj "/CN=$4" -addext "subjectAltName=DNS:$4" \
    -keyout tls.key -out tls.crt 2>/dev/null &&
    kubectl -n "$1" create secret tls "$3" --cert=tls.crt --key=tls.key &&
    kubectl -n "$1" patch certificates.pki.example.corp "$2" --subresource=status --type=merge -p \
      '{"status": {"conditions": [{"type": "Ready", "status": "True", "reason": "Issued"}]}}'
}

while true; do
  if kubectl get certificates.pki.example.corp --all-namespaces --no-headers \
    -o custom-columns='S:metadata.namespace,N:metadata.name,X:spec.secretName,H:spec.dnsNames[0]' >certificates; then
    while read -r namespace name secret host; do
      kubectl -n "$namespace" get secret "$secret" >/dev/null 2>&1 || issue "$namespace" "$name" "$secret" "$host"
    done <certificates
    touch round
  fi
  sleep 1
done
