package dev.mooring.runtime.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SliceSelectorTest {
  @Test
  void hasNoEndpointsAsLongAsItsStatusNamesNone() {
    assertThat(SliceSelector.endpoints(List.of(slice(Map.of()))).orElseThrow()).isEmpty();
  }

  @Test
  void keepsTheOtherEndpointsWhereOneHasNoUrl() {
    var status =
        Map.of(
            "endpoints",
            List.of(Map.of(), Map.of("url", ""), Map.of("url", "https://shard-2.example.io/x")));

    assertThat(SliceSelector.endpoints(List.of(slice(status))).orElseThrow())
        .containsExactly(URI.create("https://shard-2.example.io/x"));
  }

  private static KubeObject slice(Map<String, ?> status) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "apis.kcp.io/v1alpha1",
            "kind",
            "APIExportEndpointSlice",
            "metadata",
            Map.of("name", "certs"),
            "spec",
            Map.of("export", Map.of("name", "certs")),
            "status",
            status));
  }
}
