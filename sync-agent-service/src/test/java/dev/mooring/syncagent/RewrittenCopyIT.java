package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A policy of the service cluster changes the copy whenever it is written. */
class RewrittenCopyIT {
  private static final ResourceType POLICIES = admission("mutatingadmissionpolicies");
  private static final ResourceType BINDINGS = admission("mutatingadmissionpolicybindings");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void isWrittenEverMoreRarelyAndReportedOnce() {
    OrderedKind orders =
        OrderedKind.publish(
            clusters, "contested", "synchronization: {enabled: true, drift: Revert}");
    orders.order("a");
    orders.copy("a");
    create(
        POLICIES,
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicy
        metadata: {name: contested}
        spec:
          reinvocationPolicy: Never
          matchConstraints:
            resourceRules:
            - {apiGroups: [%s], apiVersions: [v1], operations: [UPDATE], resources: [orders]}
          mutations:
          - patchType: JSONPatch
            jsonPatch:
              expression: '[JSONPatch{op: "replace", path: "/spec/size", value: 77}]'
        """
            .formatted(orders.target().group()));
    create(
        BINDINGS,
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicyBinding
        metadata: {name: contested}
        spec: {policyName: contested}
        """);

    orders
        .workspace()
        .patch(orders.source(), "default", "a", Map.of("spec", Map.of("colour", "red")));

    orders.awaitEvent("a", "CopyKeepsChanging", "removed or changed whenever it is written");
    orders.awaitProblem("contested", Problem.OBJECTS_FAILING, "CopyKeepsChanging (1)");
    // The one with the new colour, and the first that brings the size back.
    await().untilAsserted(() -> assertThat(written(orders)).isBetween(1L, 2L));

    for (ResourceType type : new ResourceType[] {BINDINGS, POLICIES}) {
      clusters.service().delete(type, "", "contested", new DeleteCondition.Unconditional());
    }
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(() ->
            assertThat(orders.copy("a").map("spec"))
                .containsEntry("size", 3L)
                .containsEntry("colour", "red"));
    orders.awaitNoProblem("contested");
    orders.awaitEvent("a", "ObjectInSync");
  }

  /** How many writes of the content the consumer reads of. */
  private static long written(OrderedKind orders) {
    return orders.workspace().list(ResourceType.core("events"), ListQuery.ALL).items().stream()
        .filter(event -> event.text("reason").equals("ObjectSynced"))
        .filter(event -> event.text("involvedObject", "name").equals("a"))
        .mapToLong(event -> event.at("count") instanceof Long count ? count : 1)
        .sum();
  }

  private static void create(ResourceType type, String yaml) {
    KubeObject object = TwoClusters.object(yaml);
    clusters.service().create(type, object);
  }

  private static ResourceType admission(String resource) {
    return new ResourceType("admissionregistration.k8s.io", "v1", resource);
  }
}
