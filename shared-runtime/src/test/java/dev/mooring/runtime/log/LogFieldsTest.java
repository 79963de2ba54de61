package dev.mooring.runtime.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogFieldsTest {
  private static final GroupResource VPCS = GroupResource.parse("vpcs.network.example.com");

  @AfterEach
  void leavesNothing() {
    MDC.clear();
  }

  @Test
  void nameTheObjectAndItsWorkspace() {
    LogFields fields = LogFields.NONE.object(VPCS, key("default", "main")).workspace("root:team");

    try (var _ = fields.open()) {
      assertThat(MDC.getCopyOfContextMap())
          .isEqualTo(
              Map.of(
                  "mooring.logical_cluster",
                  "c1",
                  "mooring.workspace",
                  "root:team",
                  "mooring.type",
                  "vpcs.network.example.com",
                  "mooring.namespace",
                  "default",
                  "mooring.name",
                  "main"));
    }
  }

  @Test
  void leaveOutWhatIsEmpty() {
    try (var _ =
        LogFields.NONE.object(VPCS, key("", "main")).provider("").rules(List.of()).open()) {
      assertThat(MDC.getCopyOfContextMap())
          .containsOnlyKeys("mooring.logical_cluster", "mooring.type", "mooring.name");
    }
  }

  @Test
  void anInnerUnitOfWorkAddsFieldsAndRestoresTheOuterOnes() {
    MDC.put("trace", "abc");
    try (var _ = LogFields.NONE.publishedResource("outer").open()) {
      try (var _ = LogFields.NONE.publishedResource("inner").rule(key("", "rule")).open()) {
        MDC.put("left", "behind");
        assertThat(MDC.get("mooring.published_resource")).isEqualTo("inner");
        assertThat(MDC.get("mooring.rule")).isEqualTo("c1/rule");
        assertThat(MDC.get("trace")).isEqualTo("abc");
      }
      assertThat(MDC.getCopyOfContextMap())
          .isEqualTo(Map.of("trace", "abc", "mooring.published_resource", "outer"));
    }
    assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("trace", "abc"));
  }

  @Test
  void goAlongToAnotherThreadAndStayNoLongerThanTheWork() throws Exception {
    try (var pool = Executors.newSingleThreadExecutor()) {
      var during = new CompletableFuture<Map<String, String>>();
      Runnable work;
      try (var _ = LogFields.NONE.review("r1").open()) {
        work = LogFields.carry(() -> during.complete(MDC.getCopyOfContextMap()));
      }
      pool.submit(work).get();
      // The pool has one thread, so this is the same one.
      Map<String, String> after = pool.submit(MDC::getCopyOfContextMap).get();

      assertThat(during.join()).isEqualTo(Map.of("mooring.review", "r1"));
      assertThat(after).isNullOrEmpty();
    }
  }

  private static ObjectKey key(String namespace, String name) {
    return new ObjectKey(LogicalCluster.parse("c1").orElseThrow(), namespace, name);
  }
}
