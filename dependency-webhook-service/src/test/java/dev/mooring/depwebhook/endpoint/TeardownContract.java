package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What goes, and in which order, when more than one object goes. */
abstract class TeardownContract extends OnWebhookEnvironment {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    land.usualRules();
    land.guard(land.serve(2));
  }

  /** One on each shard. */
  static Stream<WorkspacePath> consumers() {
    return land.consumers.stream();
  }

  @ParameterizedTest
  @MethodSource("consumers")
  void aTerminatingWorkspaceReleasesWhatIsReferenced(WorkspacePath neighbour) {
    WorkspacePath going = land.consumerNextTo(neighbour, "depwh-going");
    LogicalCluster cluster = land.workspaces.cluster(going);
    land.create(going, VPCS, "default", "doomed", "");
    land.create(going, MACHINES, "default", "vm-held", "doomed");
    hold(land.workspaces.client(going), "vm-held", List.of("example.com/held"));
    assertThat(land.refusal(going, VPCS, "default", "doomed")).contains("vm-held");

    KubeClient root = land.workspaces.client(WorkspacePath.ROOT);
    root.delete(WORKSPACES, "", going.name(), new DeleteCondition.Unconditional());

    KubeClient inside = land.workspaces.client(cluster);
    await().until(() -> gone(inside, VPCS, "doomed"));
    assertThat(inside.find(MACHINES, "default", "vm-held")).isPresent();
    hold(inside, "vm-held", List.of());
    await().until(() -> root.find(WORKSPACES, "", going.name()).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("consumers")
  void aTerminatingNamespaceKeepsTheOrder(WorkspacePath in) {
    land.namespace(in, "ordered");
    land.create(in, VPCS, "ordered", "last", "");
    land.create(in, MACHINES, "ordered", "vm-first", "last");
    KubeClient consumer = land.workspaces.client(in);
    consumer.patch(
        MACHINES,
        "ordered",
        "vm-first",
        Map.of("metadata", Map.of("finalizers", List.of("example.com/held"))));

    consumer.delete(NAMESPACES, "", "ordered", new DeleteCondition.Unconditional());
    await()
        .until(() ->
            consumer
                .find(MACHINES, "ordered", "vm-first")
                .filter(KubeObject::deleting)
                .isPresent());
    land.assertRefused(
        in,
        VPCS,
        "ordered",
        "last",
        "cannot delete vpcs/last: still referenced by VirtualMachine/vm-first");

    consumer.patch(
        MACHINES, "ordered", "vm-first", Map.of("metadata", Map.of("finalizers", List.of())));
    await().until(() -> consumer.find(NAMESPACES, "", "ordered").isEmpty());
  }

  @ParameterizedTest
  @MethodSource("consumers")
  void aConsumerWithoutTheDependentsBindingHasNoDependents(WorkspacePath neighbour) {
    WorkspacePath lean = land.withoutMachinesNextTo(neighbour, "depwh-lean");

    await().ignoreExceptions().untilAsserted(() -> land.delete(lean, VPCS, "default", "left"));
    assertThat(land.exists(lean, VPCS, "default", "left")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("consumers")
  void aBindingStaysUntilNothingRefersToItsObjects(WorkspacePath neighbour) {
    WorkspacePath tied = land.consumerNextTo(neighbour, "depwh-tied");
    land.create(tied, VPCS, "default", "tied", "");
    land.create(tied, MACHINES, "default", "vm-tied", "tied");

    KubeClient consumer = land.workspaces.client(tied);
    consumer.delete(BINDINGS, "", "network.example.com", new DeleteCondition.Unconditional());

    await()
        .untilAsserted(() ->
            assertThat(
                    consumer
                        .find(BINDINGS, "", "network.example.com")
                        .orElseThrow()
                        .list("status", "conditions"))
                .asString()
                .contains("cannot delete vpcs/tied: still referenced by VirtualMachine/vm-tied"));
    assertThat(consumer.find(VPCS, "default", "tied")).isPresent();

    land.delete(tied, MACHINES, "default", "vm-tied");
    await().until(() -> consumer.find(BINDINGS, "", "network.example.com").isEmpty());
  }

  /** The type goes soon after its last object. */
  private static boolean gone(KubeClient in, ResourceType type, String name) {
    try {
      return in.find(type, "default", name).isEmpty();
    } catch (KubeFailure failure) {
      return failure.kind() == KubeFailure.Kind.NOT_SERVED;
    }
  }

  private static void hold(KubeClient in, String machine, List<String> finalizers) {
    in.patch(MACHINES, "default", machine, Map.of("metadata", Map.of("finalizers", finalizers)));
  }
}
