package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.testing.TestSandbox;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.syncagent.published.PublishedResource;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Go agent's one metric, as operators' dashboards know it. */
class PublishedResourceGaugeIT {
  @TempDir private static Path directory;
  private static TestSandbox sandbox;
  private static PublishingBench bench;

  @BeforeAll
  static void starts() {
    sandbox = TestSandbox.start(directory.resolve("kcp"));
    bench = new PublishingBench(sandbox.kcp(), directory);
    bench.startAgent("--mooring.sync-agent.published-resource-selector=!hidden");
  }

  @AfterAll
  static void stops() {
    bench.close();
    sandbox.close();
  }

  @AfterEach
  void deletesAll() {
    for (String name : List.of("one", "two", "three")) {
      if (bench.service().find(PublishedResource.TYPE, "", name).isPresent()) {
        delete(name);
      }
    }
    awaitGauge(0);
  }

  @Test
  void readsOneThenTwoThenOneAgain() {
    publish("one");
    awaitGauge(1);
    publish("two");
    awaitGauge(2);
    delete("one");
    awaitGauge(1);
  }

  @Test
  void countsNoneAndThreeAndOnlyThoseThatAreThisAgents() {
    awaitGauge(0);
    publish("one");
    publish("two");
    publish("three");
    awaitGauge(3);

    bench
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "three",
            Map.of("metadata", Map.of("labels", Map.of("hidden", "true"))));

    awaitGauge(2);
  }

  private static void publish(String name) {
    bench.publish(name, "resource: {apiGroup: %s.example.io, kind: Thing}".formatted(name));
  }

  private static void delete(String name) {
    bench.service().delete(PublishedResource.TYPE, "", name, new DeleteCondition.Unconditional());
  }

  private static void awaitGauge(double expected) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    bench
                        .agentBean(MeterRegistry.class)
                        .get("sync_agent_published_resource")
                        .gauge()
                        .value())
                .isEqualTo(expected));
  }
}
