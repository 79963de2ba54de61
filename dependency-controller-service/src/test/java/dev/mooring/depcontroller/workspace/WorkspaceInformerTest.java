package dev.mooring.depcontroller.workspace;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.workspace.StalledWorkspace.Watches;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.InformerSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceInformerTest {
  /** As short as can be: a watch lasts a fifteenth of it, and a second at least. */
  private static final Duration MAX_STALENESS = Duration.ofSeconds(15);

  @Tag("full")
  @Test
  void isStaleWhileAWorkspaceSendsNoEventsAndKeepsItsObjects(@TempDir Path files) {
    var known = new AtomicInteger();
    try (var workspace =
            new StalledWorkspace(
                files,
                "example.com/v1",
                "ThingList",
                "{\"metadata\": {\"name\": \"a\", \"uid\": \"u\", \"resourceVersion\": \"1\"}}");
        WorkspaceInformer things =
            WorkspaceInformer.start(
                workspace.access().client(new LogicalCluster("one")),
                InformerSpec.of(new ResourceType("example.com", "v1", "things")),
                _ -> {},
                known::incrementAndGet,
                MAX_STALENESS)) {
      await().until(things::isListed);

      await()
          .untilAsserted(() ->
              assertThat(things.readFailure())
                  .map(KubeFailure::getMessage)
                  .hasValueSatisfying(message ->
                      assertThat(message)
                          .endsWith(
                              "no event or bookmark of things.example.com arrived for more than 15 s")));
      assertThat(things.find("a")).isPresent();

      known.set(0);
      workspace.watches(Watches.END_IN_TIME);

      await().until(() -> things.readFailure().isEmpty());
      assertThat(known).as("looked at again").hasPositiveValue();
    }
  }
}
