package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.export.UnlistedEndpoint.View;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UnlistedEndpointTest {
  @Test
  void isLeftOnceNoWorkspaceBindsTheExportThere() {
    assertThat(UnlistedEndpoint.isDispensable(shows(), List.of())).isTrue();
    assertThat(UnlistedEndpoint.isDispensable(shows("a"), List.of())).isFalse();
  }

  @Test
  void isLeftOnceItsWorkspacesAreShownElsewhereWithAllTheirObjects() {
    View left = shows("a", "b");
    var halfListed = new View(true, false, keys("b"));

    assertThat(UnlistedEndpoint.isDispensable(left, List.of(shows("a"), shows("b", "c")))).isTrue();
    assertThat(UnlistedEndpoint.isDispensable(left, List.of(shows("a"), halfListed))).isFalse();
  }

  @Test
  void staysWhileItsOwnBindingsAreNotKnown() {
    assertThat(UnlistedEndpoint.isDispensable(new View(false, false, List.of()), List.of()))
        .isFalse();
  }

  private static View shows(String... clusters) {
    return new View(true, true, keys(clusters));
  }

  private static List<ObjectKey> keys(String... clusters) {
    return Stream.of(clusters)
        .map(cluster -> new ObjectKey(new LogicalCluster(cluster), "", "binding"))
        .toList();
  }
}
