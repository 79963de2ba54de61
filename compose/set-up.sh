#!/usr/bin/env bash
# Prepares a kcp and a service cluster for the three services: workspaces, exports, CRDs, the
# webhook's certificate, and a kubeconfig for each of them. Running it again changes nothing.
#
#   KCP_ADMIN_KUBECONFIG, SERVICE_CLUSTER_KUBECONFIG   as the two servers wrote them
#   KCP_URL, SERVICE_CLUSTER_URL                       where the services reach them
#   WEBHOOK_HOST                                       where kcp reaches the webhook
#   OUT                                                where to put kubeconfigs and certificates
#   MANIFESTS                                          the directory charts/mooring
#   SERVICE_USER                                       owner of what is written (default 10001)
set -euo pipefail

patience=120

wait_for() { # what, command...
  local what=$1 second
  shift
  for ((second = 0; second < patience; second++)); do
    if "$@" >/dev/null 2>&1; then
      return
    fi
    sleep 1
  done
  echo "set-up: waited $patience s in vain until $what" >&2
  "$@" >&2 || true
  exit 1
}

# The administrator's kubeconfig, with another server in its current context.
pointed_at() { # kubeconfig to copy, file to write, url
  local cluster
  cp "$1" "$OUT/$2"
  cluster=$(kubectl --kubeconfig "$OUT/$2" config view --minify -o 'jsonpath={.clusters[0].name}')
  kubectl --kubeconfig "$OUT/$2" config set-cluster "$cluster" --server="$3" >/dev/null
}

kcp_at() { # file to write, workspace
  pointed_at "$KCP_ADMIN_KUBECONFIG" "$1" "$KCP_URL/clusters/$2"
}

create_workspace() { # parent's kubeconfig, name
  kubectl --kubeconfig "$OUT/$1" get workspace "$2" >/dev/null 2>&1 ||
    kubectl --kubeconfig "$OUT/$1" create -f - <<END
apiVersion: tenancy.kcp.io/v1alpha1
kind: Workspace
metadata: {name: $2}
spec: {type: {name: universal, path: root}}
END
  kubectl --kubeconfig "$OUT/$1" wait "workspace/$2" --for=jsonpath='{.status.phase}'=Ready --timeout=120s
}

create_once() { # kubeconfig, file
  kubectl --kubeconfig "$OUT/$1" create -f "$2" 2>"$OUT/errors" || grep -q AlreadyExists "$OUT/errors" || {
    cat "$OUT/errors" >&2
    exit 1
  }
  rm -f "$OUT/errors"
}

mkdir -p "$OUT/webhook-tls"
umask 077

wait_for "kcp has written its kubeconfig" test -s "$KCP_ADMIN_KUBECONFIG"
wait_for "the service cluster has written its kubeconfig" test -s "$SERVICE_CLUSTER_KUBECONFIG"
kcp_at root.kubeconfig root
wait_for "kcp answers" kubectl --kubeconfig "$OUT/root.kubeconfig" get workspaces
pointed_at "$SERVICE_CLUSTER_KUBECONFIG" service-cluster.kubeconfig "$SERVICE_CLUSTER_URL"
wait_for "the service cluster answers" kubectl --kubeconfig "$OUT/service-cluster.kubeconfig" get namespaces

create_workspace root.kubeconfig dependencies
create_workspace root.kubeconfig certificates
kcp_at dependencies.kubeconfig root:dependencies
kcp_at certificates.kubeconfig root:certificates

create_once dependencies.kubeconfig "$MANIFESTS/kcp/apiresourceschema.yaml"
create_once dependencies.kubeconfig "$MANIFESTS/kcp/apiexport.yaml"
cat >"$OUT/export.yaml" <<END
apiVersion: apis.kcp.io/v1alpha2
kind: APIExport
metadata: {name: certificates.example.corp}
spec: {}
END
create_once certificates.kubeconfig "$OUT/export.yaml"
rm "$OUT/export.yaml"
for crd in "$MANIFESTS"/service-cluster/*.yaml; do
  create_once service-cluster.kubeconfig "$crd"
done

if [[ ! -s $OUT/webhook-tls/tls.crt ]]; then
  openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj "/CN=mooring-webhook-ca" \
    -keyout "$OUT/webhook-tls/ca.key" -out "$OUT/webhook-tls/ca.crt" 2>/dev/null
  openssl req -newkey rsa:3072 -nodes -subj "/CN=$WEBHOOK_HOST" \
    -keyout "$OUT/webhook-tls/tls.key" -out "$OUT/webhook-tls/tls.csr" 2>/dev/null
  openssl x509 -req -days 365 -in "$OUT/webhook-tls/tls.csr" \
    -CA "$OUT/webhook-tls/ca.crt" -CAkey "$OUT/webhook-tls/ca.key" -CAcreateserial \
    -extfile <(printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth' "$WEBHOOK_HOST") \
    -out "$OUT/webhook-tls/tls.crt" 2>/dev/null
  rm "$OUT/webhook-tls/tls.csr"
fi

chown -R "${SERVICE_USER:-10001}" "$OUT" 2>/dev/null || true
echo "set-up: workspaces root:dependencies and root:certificates are ready"
