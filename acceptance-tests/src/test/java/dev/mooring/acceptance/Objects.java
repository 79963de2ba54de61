package dev.mooring.acceptance;

import static dev.mooring.runtime.testing.Eventually.await;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Consumers' objects, and what tests ask about them. */
final class Objects {
  private static final String NAMESPACE = "default";
  private static final String GUARD = "dependency-controller";

  private Objects() {}

  static KubeObject certificate(String name, String... dnsNames) {
    return KubeObject.of(
        Map.of(
            "apiVersion", Types.CERTIFICATES.apiVersion(),
            "kind", "Certificate",
            "metadata", Map.of("name", name, "namespace", NAMESPACE),
            "spec", Map.of("secretName", name + "-tls", "dnsNames", List.of(dnsNames))));
  }

  static KubeObject vpc(String name) {
    return KubeObject.of(
        Map.of(
            "apiVersion", Types.VPCS.apiVersion(),
            "kind", "VPC",
            "metadata", Map.of("name", name, "namespace", NAMESPACE),
            "spec", Map.of("cidr", "10.0.0.0/16")));
  }

  static KubeObject machine(String name, String vpc) {
    return KubeObject.of(
        Map.of(
            "apiVersion", Types.VIRTUAL_MACHINES.apiVersion(),
            "kind", "VirtualMachine",
            "metadata", Map.of("name", name, "namespace", NAMESPACE),
            "spec",
                Map.of("vpcRef", Map.of("name", vpc), "subnetRef", Map.of("name", "frontend"))));
  }

  static void delete(ClusterClient cluster, ResourceType type, String name) {
    cluster.client().delete(type, NAMESPACE, name, new DeleteCondition.Unconditional());
  }

  /** The webhook configuration that the controller keeps with a provider. */
  static Optional<KubeObject> guard(ClusterClient provider) {
    return provider.client().find(Types.WEBHOOK_CONFIGURATIONS, "", GUARD);
  }

  static void deleteGuard(ClusterClient provider) {
    provider
        .client()
        .delete(Types.WEBHOOK_CONFIGURATIONS, "", GUARD, new DeleteCondition.Unconditional());
  }

  /** The failure of a deletion that has to fail. */
  static KubeFailure refusal(ClusterClient cluster, ResourceType type, String name) {
    try {
      delete(cluster, type, name);
    } catch (KubeFailure refused) {
      return refused;
    }
    throw new AssertionError(type.resource() + "/" + name + " was deleted");
  }

  static Optional<KubeObject> find(ClusterClient cluster, ResourceType type, String name) {
    return cluster.client().find(type, NAMESPACE, name);
  }

  /** The copy on the service cluster of a consumer's certificate, if it is there. */
  static Optional<KubeObject> copy(ClusterClient serviceCluster, KubeObject source) {
    String cluster = source.logicalCluster().orElseThrow().name();
    return serviceCluster
        .client()
        .list(
            Types.SERVICE_CERTIFICATES,
            ListQuery.ALL.withLabels("syncagent.kcp.io/remote-object-cluster=" + cluster))
        .items()
        .stream()
        .filter(copy ->
            copy.annotation("syncagent.kcp.io/remote-object-name")
                .filter(source.name()::equals)
                .isPresent())
        .findFirst();
  }

  static boolean ready(KubeObject certificate) {
    return certificate.list("status", "conditions").stream()
        .anyMatch(condition ->
            "Ready".equals(Trees.at(condition, "type"))
                && "True".equals(Trees.at(condition, "status")));
  }

  static KubeObject awaitReady(ClusterClient cluster, String name) {
    return await("certificate " + name + " is ready in " + cluster.name())
        .until(
            () -> find(cluster, Types.CERTIFICATES, name).filter(Objects::ready),
            Optional::isPresent)
        .orElseThrow();
  }

  static KubeObject awaitSecret(ClusterClient cluster, String name) {
    return await("Secret " + name + " is in " + cluster.name())
        .until(() -> find(cluster, Types.SECRETS, name), Optional::isPresent)
        .orElseThrow();
  }

  static void awaitGone(ClusterClient cluster, ResourceType type, String name) {
    await(type.resource() + "/" + name + " is gone from " + cluster.name())
        .until(() -> find(cluster, type, name).isEmpty());
  }
}
