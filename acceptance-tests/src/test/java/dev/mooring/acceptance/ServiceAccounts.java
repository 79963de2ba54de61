package dev.mooring.acceptance;

import static dev.mooring.runtime.testing.Eventually.await;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Real ServiceAccounts of a cluster or workspace, and their tokens. */
public final class ServiceAccounts {
  private static final ResourceType SERVICE_ACCOUNTS = ResourceType.core("serviceaccounts");

  private ServiceAccounts() {}

  /** The token of a ServiceAccount, which is created with its namespace if it does not exist. */
  public static String token(ClusterClient cluster, String namespace, String name) {
    ensure(cluster, Types.NAMESPACES, KubeObject.of(Types.NAMESPACES, "Namespace", "", namespace));
    ensure(
        cluster,
        SERVICE_ACCOUNTS,
        KubeObject.of(SERVICE_ACCOUNTS, "ServiceAccount", namespace, name));
    ensure(
        cluster,
        Types.SECRETS,
        KubeObject.of(Types.SECRETS, "Secret", namespace, name + "-token")
            .with(name, "metadata", "annotations", "kubernetes.io/service-account.name")
            .with("kubernetes.io/service-account-token", "type"));
    return tokenIn(cluster, namespace, name + "-token");
  }

  /** What the cluster writes into a Secret of type service-account-token. */
  public static String tokenIn(ClusterClient cluster, String namespace, String secret) {
    String token =
        await("the token in Secret " + secret)
            .until(
                () ->
                    cluster
                        .client()
                        .find(Types.SECRETS, namespace, secret)
                        .map(found -> found.text("data", "token"))
                        .filter(data -> !data.isEmpty()),
                Optional::isPresent)
            .orElseThrow();
    return new String(Base64.getDecoder().decode(token), StandardCharsets.US_ASCII);
  }

  /**
   * Lets a ServiceAccount of the namespace {@code default} operate the services, with the shipped
   * manifest.
   */
  public static void makeOperator(ClusterClient cluster, String account) {
    for (KubeObject role :
        Manifests.ofFile(
            ProjectLayout.find().file("charts/mooring/kcp/rbac-endpoint-callers.yaml"))) {
      ensure(cluster, Manifests.typeOf(role), role);
    }
    bind(cluster, account, "mooring-endpoints-operate");
  }

  /** Gives a ServiceAccount of the namespace {@code default} a ClusterRole. */
  public static void bind(ClusterClient cluster, String account, String role) {
    KubeObject binding =
        KubeObject.of(
            Map.of(
                "apiVersion", "rbac.authorization.k8s.io/v1",
                "kind", "ClusterRoleBinding",
                "metadata", Map.of("name", account),
                "roleRef",
                    Map.of(
                        "apiGroup", "rbac.authorization.k8s.io",
                        "kind", "ClusterRole",
                        "name", role),
                "subjects",
                    List.of(
                        Map.of(
                            "kind", "ServiceAccount", "namespace", "default", "name", account))));
    ensure(cluster, Manifests.typeOf(binding), binding);
  }

  /** Creates the object once the cluster accepts it, unless it exists. */
  public static void ensure(ClusterClient cluster, ResourceType type, KubeObject object) {
    await(type.resource() + "/" + object.name() + " is in " + cluster.name())
        .until(() -> {
          try {
            cluster.client().create(type, object);
            return true;
          } catch (KubeFailure e) {
            return e.kind() == KubeFailure.Kind.ALREADY_EXISTS;
          }
        });
  }
}
