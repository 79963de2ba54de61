package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.export.EndpointTracker.Shown;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EndpointTrackerTest {
  @Test
  void isLeftOnceNoWorkspaceBindsTheExportThere() {
    assertThat(EndpointTracker.isDispensable(shows(), List.of())).isTrue();
    assertThat(EndpointTracker.isDispensable(shows("a"), List.of())).isFalse();
  }

  @Test
  void isLeftOnceItsWorkspacesAreShownElsewhereWithAllTheirObjects() {
    Shown left = shows("a", "b");
    var halfListed = new Shown(true, false, keys("b"));

    assertThat(EndpointTracker.isDispensable(left, List.of(shows("a"), shows("b", "c")))).isTrue();
    assertThat(EndpointTracker.isDispensable(left, List.of(shows("a"), halfListed))).isFalse();
  }

  @Test
  void staysWhileItsOwnBindingsAreNotKnown() {
    assertThat(EndpointTracker.isDispensable(new Shown(false, false, List.of()), List.of()))
        .isFalse();
  }

  @Test
  void hasNoUrlsAsLongAsTheSlicesStatusNamesNone() {
    assertThat(EndpointTracker.endpoints(List.of(slice(Map.of()))).orElseThrow()).isEmpty();
  }

  @Test
  void keepsTheOtherUrlsWhereAnEndpointHasNone() {
    var status =
        Map.of(
            "endpoints",
            List.of(Map.of(), Map.of("url", ""), Map.of("url", "https://shard-2.example.io/x")));

    assertThat(EndpointTracker.endpoints(List.of(slice(status))).orElseThrow())
        .containsExactly(URI.create("https://shard-2.example.io/x"));
  }

  private static KubeObject slice(Map<String, ?> status) {
    return KubeObject.of(ExportView.SLICES, "APIExportEndpointSlice", "", "certs")
        .with(status, "status");
  }

  private static Shown shows(String... clusters) {
    return new Shown(true, true, keys(clusters));
  }

  private static List<ObjectKey> keys(String... clusters) {
    return Stream.of(clusters)
        .map(cluster -> new ObjectKey(new LogicalCluster(cluster), "", "binding"))
        .toList();
  }
}
