package dev.mooring.depcontroller.workspace;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.workspace.StalledWorkspace.Answer;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportDirectoryTest {
  private static final LogicalCluster COMPUTE = new LogicalCluster("compute1");
  private static final String EXPORTED = "compute.example.com";
  private static final String MADE_LATER = "compute2.example.com";
  private final AtomicInteger changes = new AtomicInteger();
  @TempDir private Path files;
  private StalledWorkspace workspace;
  private ExportDirectory directory;

  @BeforeEach
  void serves() {
    workspace =
        new StalledWorkspace(
            files,
            "apis.kcp.io/v1alpha2",
            "APIExportList",
            """
            {"metadata": {"name": "compute.example.com", "uid": "u", "resourceVersion": "1"},
             "spec": {"resources": [{"group": "compute.example.com", "name": "virtualmachines"}]}}\
            """);
    directory = new ExportDirectory(workspace.access(), changes::incrementAndGet);
  }

  @AfterEach
  void stops() {
    directory.close();
    workspace.close();
  }

  @Test
  void saysNothingOfWorkspacesThatAreNotWatched() {
    assertThat(directory.find(COMPUTE, EXPORTED)).isEmpty();
  }

  @Test
  void takesNothingForAbsentWhileItCannotBeReadAnyMore() {
    directory.follow(List.of(COMPUTE));
    await()
        .untilAsserted(() ->
            assertThat(directory.find(COMPUTE, MADE_LATER)).contains(new ExportReading.Absent()));
    assertThat(directory.find(COMPUTE, EXPORTED)).containsInstanceOf(ExportReading.Found.class);

    workspace.refuse();

    await()
        .untilAsserted(() -> {
          assertUnreadable(MADE_LATER);
          assertUnreadable(EXPORTED); // what it exports now is not known either
        });
    assertThat(directory.describe().get("compute1")).contains("cannot be read");

    changes.set(0);
    workspace.answer(Answer.LIST);

    await().until(() -> changes.get() > 0);
    assertThat(directory.find(COMPUTE, MADE_LATER)).contains(new ExportReading.Absent());
    assertThat(directory.find(COMPUTE, EXPORTED)).containsInstanceOf(ExportReading.Found.class);
    assertThat(directory.describe()).containsEntry("compute1", "1 exports");
  }

  private void assertUnreadable(String export) {
    assertThat(directory.find(COMPUTE, export))
        .hasValueSatisfying(reading ->
            assertThat(reading)
                .isInstanceOfSatisfying(
                    ExportReading.Unreadable.class,
                    unreadable ->
                        assertThat(unreadable.why())
                            .contains("in logical cluster compute1 cannot be read")
                            .contains("let the controller's user get, list and watch")));
  }
}
