package dev.mooring.sandbox.kcp.export.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner.Partition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CachedSlicePlannerTest {
  private static final String NOW = "2026-11-26T17:00:00Z";
  private static final KubeObject CACHED =
      KubeJson.readObject("{\"metadata\": {\"name\": \"cached\"}}");
  private static final KubeObject EXPORT =
      KubeJson.readObject(
          """
          {"metadata": {"name": "e"}, "spec": {"resources": [
            {"group": "ex.io", "name": "boats", "storage": {"crd": {}}},
            {"group": "ex.io", "name": "things", "storage": {"virtual": {"reference":
              {"apiGroup": "cache.kcp.io", "kind": "CachedResourceEndpointSlice", "name": "slice"}}}}]}}
          """);
  private static final KubeObject SLICE =
      KubeJson.readObject(
          """
          {"metadata": {"name": "slice", "annotations": {"kcp.io/cluster": "c"}},
           "spec": {"cachedResource": {"name": "cached", "path": "root:p"}, "export": {"name": "e"}},
           "status": {"endpoints": [{"url": "https://a"}]}}
          """);

  private static KubeObject validated(
      KubeObject slice, Optional<KubeObject> cached, Optional<KubeObject> export) {
    return CachedSlicePlanner.validated(slice, cached, export, new Partition.All(), NOW);
  }

  private static List<String> conditions(KubeObject slice) {
    return slice.list("status", "conditions").stream()
        .map(it ->
            Trees.text(it, "type")
                + "="
                + Trees.text(it, "status")
                + " "
                + Trees.textOrEmpty(Trees.at(it, "message")))
        .toList();
  }

  @Test
  void isValidIfTheExportRefersToIt() {
    KubeObject valid = validated(SLICE, Optional.of(CACHED), Optional.of(EXPORT));

    assertThat(conditions(valid))
        .containsExactly("APIExportValid=True ", "PartitionValid=True ", "ResourceValid=True ");
    assertThat(valid.list("status", "endpoints")).hasSize(1);
    assertThat(validated(valid, Optional.of(CACHED), Optional.of(EXPORT))).isEqualTo(valid);
  }

  @Test
  void hasNoEndpointsIfWhatItNamesIsMissing() {
    KubeObject withoutCached = validated(SLICE, Optional.empty(), Optional.of(EXPORT));
    KubeObject withoutExport = validated(SLICE, Optional.of(CACHED), Optional.empty());
    KubeObject unreferenced =
        validated(
            SLICE.with("other", "metadata", "name"), Optional.of(CACHED), Optional.of(EXPORT));

    assertThat(conditions(withoutCached))
        .containsExactly("ResourceValid=False Error getting CachedResource root:p|cached");
    assertThat(conditions(withoutExport))
        .containsExactly("APIExportValid=False APIExport c|e not found", "ResourceValid=True ");
    assertThat(conditions(unreferenced))
        .containsExactly(
            "APIExportValid=False APIExport c|e does not reference this"
                + " CachedResourceEndpointSlice",
            "ResourceValid=True ");
    assertThat(List.of(withoutCached, withoutExport, unreferenced))
        .allMatch(slice -> slice.list("status", "endpoints").isEmpty());
  }

  @Test
  void aResourceThatIsStoredRefersToNothing() {
    assertThat(CachedSlicePlanner.reference(EXPORT, "ex.io", "boats")).isEmpty();
    assertThat(CachedSlicePlanner.reference(EXPORT, "ex.io", "gone")).isEmpty();
    assertThat(CachedSlicePlanner.reference(EXPORT, "ex.io", "things"))
        .containsEntry("name", "slice");
  }
}
