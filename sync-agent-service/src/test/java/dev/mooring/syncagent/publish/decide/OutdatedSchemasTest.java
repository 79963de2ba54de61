package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutdatedSchemasTest {
  private static final List<KubeObject> ALL =
      List.of(
          schema("v3.things.a.io", "things", "agent", "2026-01-03"),
          schema("v1.things.a.io", "things", "agent", "2026-01-01"),
          schema("v2.things.a.io", "things", "agent", "2026-01-02"),
          schema("v4.things.a.io", "things", "agent", "2026-01-04"),
          schema("v0.things.a.io", "things", "somebody", "2026-01-01"),
          schema("v1.others.a.io", "others", "agent", "2026-01-01"));

  @Test
  void findsOnlyItsOwnOutdatedSchemasOfTheType() {
    assertThat(names(outdated(Set.of(), 0)))
        .containsExactly("v1.things.a.io", "v2.things.a.io", "v3.things.a.io");
  }

  @Test
  void keepsTheYoungest() {
    assertThat(names(outdated(Set.of(), 2))).containsExactly("v1.things.a.io");
    assertThat(names(outdated(Set.of(), 9))).isEmpty();
  }

  @Test
  void keepsWhatIsInUseAndSaysThatItIsTooMuch() {
    OutdatedSchemas outdated = outdated(Set.of("v1.things.a.io"), 1);

    assertThat(names(outdated)).containsExactly("v2.things.a.io");
    assertThat(outdated.stillUsed()).isOne();
  }

  @Test
  void takesWhatExportsListAndWhatIsBoundForUsed() {
    KubeObject export =
        KubeObject.of(Map.of("spec", Map.of("resources", List.of(Map.of("schema", "listed")))));
    KubeObject binding =
        KubeObject.of(
            Map.of(
                "status",
                Map.of("boundResources", List.of(Map.of("schema", Map.of("name", "bound"))))));

    assertThat(OutdatedSchemas.inUse(List.of(export), List.of(binding)))
        .containsExactlyInAnyOrder("listed", "bound");
  }

  private static OutdatedSchemas outdated(Set<String> inUse, int keep) {
    return OutdatedSchemas.of(wanted(), "agent", ALL, inUse, keep);
  }

  private static List<String> names(OutdatedSchemas outdated) {
    return outdated.deletable().stream().map(KubeObject::name).toList();
  }

  private static ProjectedSchema wanted() {
    ApiType type = new ApiType(new ResourceType("a.io", "v1", "things"), "Thing", Scope.CLUSTER);
    return new ProjectedSchema(
        type,
        type,
        StatusSubresource.PRESENT,
        "v4.things.a.io",
        Map.of(),
        1,
        Map.of("v1", "v1"),
        Optional.empty(),
        List.of());
  }

  private static KubeObject schema(String name, String plural, String agent, String created) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of(
                "name",
                name,
                "creationTimestamp",
                created + "T00:00:00Z",
                "labels",
                Map.of(SyncMarks.AGENT_NAME, agent)),
            "spec",
            Map.of("group", "a.io", "names", Map.of("plural", plural))));
  }
}
