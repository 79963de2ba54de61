#!/usr/bin/env bash
# Prepares an empty kcp and a service cluster: workspaces, exports, the rights of the services' users
# (charts/mooring/kcp), the published type, a rule and a consumer's workspace; and writes what each
# service is started with. Running it again changes nothing.
#
#   KCP_ADMIN_KUBECONFIG, SERVICE_CLUSTER_KUBECONFIG   as the two servers wrote them
#   KCP_URL, SERVICE_CLUSTER_URL                       where the services reach them
#   CERTIFICATES                                       what certificates.sh made
#   CHART, EXAMPLE                                     the directories charts/mooring and docs/getting-started/example
#   AGENT_RIGHTS                                       the agent's rights on the service cluster
#   AGENT, CONTROLLER, WEBHOOK, CONSUMER, OPERATOR     where to put the files of each
#   SERVICE_USER                                       owner of these files (default 10001)
set -euo pipefail
umask 077

. "$(dirname "$0")/wait.sh"

kcp() { # workspace, arguments of kubectl
  kubectl --kubeconfig "$KCP_ADMIN_KUBECONFIG" --context root --server "$KCP_URL/clusters/$1" "${@:2}"
}

# The shard itself, above all workspaces.
shard() { # arguments of kubectl
  kubectl --kubeconfig "$KCP_ADMIN_KUBECONFIG" --context system:admin --server "$KCP_URL/clusters/system:admin" "$@"
}

cluster() { # arguments of kubectl
  kubectl --kubeconfig "$SERVICE_CLUSTER_KUBECONFIG" --server "$SERVICE_CLUSTER_URL" "$@"
}

apply() { # kcp <workspace> | shard | cluster, file
  "${@:1:$#-1}" apply --server-side --force-conflicts -f "${@: -1}"
}

workspace() { # parent, name
  apply kcp "$1" - <<END
apiVersion: tenancy.kcp.io/v1alpha1
kind: Workspace
metadata: {name: $2}
spec: {type: {name: universal, path: root}}
END
  kcp "$1" wait "workspace/$2" --for=jsonpath='{.status.phase}'=Ready --timeout="${timeout}s"
}

authority_of() { # kubeconfig of an administrator, context
  kubectl --kubeconfig "$1" --context "$2" config view --raw --minify --flatten \
    -o jsonpath='{.clusters[0].cluster.certificate-authority-data}' | base64 -d
}

kubeconfig() { # file to write, user, server, file with the server's CA
  local file=$1
  rm -f "$file.part"
  kubectl --kubeconfig "$file.part" config set-cluster server --server="$3" --certificate-authority="$4" --embed-certs
  kubectl --kubeconfig "$file.part" config set-credentials "$2" --embed-certs \
    --client-certificate="$CERTIFICATES/$2.crt" --client-key="$CERTIFICATES/$2.key"
  kubectl --kubeconfig "$file.part" config set-context server --cluster=server --user="$2"
  kubectl --kubeconfig "$file.part" config use-context server
  mv "$file.part" "$file"
} >/dev/null

wait_for "kcp has written its kubeconfig" test -s "$KCP_ADMIN_KUBECONFIG"
wait_for "the service cluster has written its kubeconfig" test -s "$SERVICE_CLUSTER_KUBECONFIG"
wait_for "kcp answers" kcp root get workspaces
wait_for "the service cluster answers" cluster get namespaces

organization=root:mooring
workspace root mooring
for name in dependencies certificates gateways team-blue; do
  workspace "$organization" "$name"
done

# Dependency protection. Its own workspace binds the export, too: without any binding neither service is ready.
manifests=$CHART/kcp
apply kcp "$organization:dependencies" "$manifests/apiresourceschema.yaml"
apply kcp "$organization:dependencies" "$manifests/apiexport.yaml"
apply kcp "$organization:dependencies" "$manifests/rbac-dependency-workspace.yaml"
apply kcp root "$manifests/rbac-parent-workspace.yaml"
apply kcp "$organization" "$manifests/rbac-parent-workspace.yaml"
apply shard "$manifests/rbac-shard-system-admin.yaml"
for name in dependencies certificates gateways; do
  sed "s/root:dependencies/$organization:dependencies/" "$manifests/provider-apibinding.yaml" |
    apply kcp "$organization:$name" -
  kcp "$organization:$name" wait apibinding/dependencies.opendefense.cloud \
    --for=jsonpath='{.status.phase}'=Bound --timeout="${timeout}s"
done

# The providers.
for name in certificates gateways; do
  apply kcp "$organization:$name" "$manifests/rbac-provider-workspace.yaml"
  apply kcp "$organization:$name" "$EXAMPLE/consumer-rbac.yaml"
done
apply kcp "$organization:certificates" "$EXAMPLE/certificate-export.yaml"
apply kcp "$organization:certificates" "$manifests/rbac-agent-workspace.yaml"
apply kcp "$organization:gateways" "$EXAMPLE/gateway-export.yaml"
wait_for "DependencyRules are served in $organization:gateways" kcp "$organization:gateways" get dependencyrules
apply kcp "$organization:gateways" "$EXAMPLE/gateway-rule.yaml"

# The service cluster.
apply cluster "$CHART/service-cluster/publishedresources.syncagent.kcp.io.yaml"
apply cluster "$EXAMPLE/certificate-crd.yaml"
apply cluster "$AGENT_RIGHTS"
wait_for "PublishedResources are served" cluster get publishedresources
apply cluster "$EXAMPLE/published-certificate.yaml"

# The consumer: alice is an administrator of her own workspace and nowhere else.
apply kcp "$organization:team-blue" - <<END
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: alice}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]
END

kcp_ca=$(mktemp) cluster_ca=$(mktemp)
trap 'rm -f "$kcp_ca" "$cluster_ca"' EXIT
authority_of "$KCP_ADMIN_KUBECONFIG" root >"$kcp_ca"
authority_of "$SERVICE_CLUSTER_KUBECONFIG" "$(kubectl --kubeconfig "$SERVICE_CLUSTER_KUBECONFIG" config current-context)" >"$cluster_ca"

kubeconfig "$AGENT/kcp.kubeconfig" sync-agent "$KCP_URL/clusters/$organization:certificates" "$kcp_ca"
kubeconfig "$AGENT/service-cluster.kubeconfig" sync-agent "$SERVICE_CLUSTER_URL" "$cluster_ca"
kubeconfig "$CONTROLLER/kcp.kubeconfig" dependency-controller "$KCP_URL/clusters/$organization:dependencies" "$kcp_ca"
cp "$CERTIFICATES/webhook-ca.crt" "$CONTROLLER/webhook-ca.crt"
kubeconfig "$WEBHOOK/kcp.kubeconfig" dependency-webhook "$KCP_URL/clusters/$organization:dependencies" "$kcp_ca"
cp "$CERTIFICATES/webhook.crt" "$WEBHOOK/tls.crt"
cp "$CERTIFICATES/webhook.key" "$WEBHOOK/tls.key"
kubeconfig "$CONSUMER/alice.kubeconfig" alice "$KCP_URL/clusters/$organization:team-blue" "$kcp_ca"
kubectl --kubeconfig "$SERVICE_CLUSTER_KUBECONFIG" config view --raw --minify --flatten >"$OPERATOR/service-cluster.kubeconfig"
kubectl --kubeconfig "$OPERATOR/service-cluster.kubeconfig" config set-cluster \
  "$(kubectl --kubeconfig "$OPERATOR/service-cluster.kubeconfig" config view -o jsonpath='{.clusters[0].name}')" \
  --server="$SERVICE_CLUSTER_URL" >/dev/null
# Only root may give files away; elsewhere they belong to the user who runs all of this.
if ((EUID == 0)); then
  chown -R "${SERVICE_USER:-10001}" "$AGENT" "$CONTROLLER" "$WEBHOOK"
fi
echo "set-up: ready"
