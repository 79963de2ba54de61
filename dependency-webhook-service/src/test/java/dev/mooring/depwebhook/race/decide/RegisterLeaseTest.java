package dev.mooring.depwebhook.race.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegisterLeaseTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final RegisterKey KEY =
      new RegisterKey(
          new LogicalCluster("consumer1"),
          new GroupResource("network.example.com", "vpcs"),
          "net1");

  /** A reference by a cluster-scoped object of a core type, to a target in any namespace. */
  private static final RegisterPage PAGE =
      new RegisterPage(
          List.of(
              new ReferenceClaim(
                  "r-1",
                  new DependentId(ResourceType.core("nodes"), "", "node1", ""),
                  "",
                  new ReferenceClaim.Request.Creation(),
                  NOON)),
          List.of(new DeletionClaim("d-1", "u-1", NOON)));

  @Test
  void readsWhatItWroteAlsoWhereAPartOfItIsEmpty() {
    assertThat(RegisterLease.page(lease())).isEqualTo(PAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "name", "version", "resource"})
  void cannotReadAReferenceWithoutWhatNamesIt(String field) {
    assertUnreadable(RegisterLease.REFERENCES, field);
  }

  @Test
  void cannotReadADeletionWithoutAnId() {
    assertUnreadable(RegisterLease.DELETIONS, "id");
  }

  private static void assertUnreadable(String annotation, String field) {
    for (KubeObject bad : List.of(changed(annotation, field, ""), without(annotation, field))) {
      assertThatThrownBy(() -> RegisterLease.page(bad))
          .isInstanceOf(RegisterLease.Unreadable.class)
          .hasMessageContaining("Lease races/race-1 of the race register cannot be read")
          .hasMessageContaining("a record has no " + field);
    }
  }

  private static KubeObject lease() {
    return RegisterLease.with(
        RegisterLease.empty("races", "race-1", KEY), PAGE, NOON, RaceTimings.STANDARD);
  }

  private static KubeObject changed(String annotation, String field, Object value) {
    Map<String, Object> record = record(annotation);
    record.put(field, value);
    return with(annotation, record);
  }

  private static KubeObject without(String annotation, String field) {
    Map<String, Object> record = record(annotation);
    record.remove(field);
    return with(annotation, record);
  }

  private static Map<String, Object> record(String annotation) {
    List<?> records = (List<?>) KubeJson.read(lease().annotation(annotation).orElseThrow());
    return Trees.thawMap(Trees.mapOrEmpty(records.getFirst()));
  }

  private static KubeObject with(String annotation, Map<String, Object> record) {
    return lease().with(KubeJson.writeText(List.of(record)), "metadata", "annotations", annotation);
  }
}
