package dev.mooring.sandbox.crd.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.Conditions;
import dev.mooring.sandbox.api.status.Conditions.Condition;
import dev.mooring.sandbox.crd.Definitions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CrdNamingTest {
  private static final String NOW = "2026-11-21T10:00:00Z";

  @Test
  void establishesADefinitionWhoseNamesAreFree() {
    KubeObject decided =
        CrdNaming.decide(Definitions.widgets(), CrdNaming.Taken.by(List.of()), NOW);

    assertThat(decided.map("status", "acceptedNames"))
        .isEqualTo(Definitions.widgets().map("spec", "names"));
    assertThat(Conditions.find(decided, "NamesAccepted"))
        .contains(new Condition("NamesAccepted", "True", "NoConflicts", "no conflicts found"));
    assertThat(Conditions.find(decided, "Established"))
        .contains(
            new Condition(
                "Established",
                "True",
                "InitialNamesAccepted",
                "the initial names have been accepted"));
    assertThat(CrdNaming.decide(decided, CrdNaming.Taken.by(List.of()), "later"))
        .isEqualTo(decided);
  }

  @Test
  void refusesNamesThatOthersHave() {
    var taken =
        CrdNaming.Taken.by(
            List.of(Map.of("plural", "gadgets", "kind", "Widget", "listKind", "GadgetList")));

    KubeObject decided = CrdNaming.decide(Definitions.widgets(), taken, NOW);

    assertThat(Conditions.find(decided, "NamesAccepted"))
        .contains(
            new Condition(
                "NamesAccepted", "False", "KindConflict", "\"Widget\" is already in use"));
    assertThat(Conditions.find(decided, "Established"))
        .contains(
            new Condition("Established", "False", "NotAccepted", "not all names are accepted"));
    assertThat(decided.text("status", "acceptedNames", "plural")).isEqualTo("widgets");
    assertThat(decided.text("status", "acceptedNames", "kind")).isEmpty();
  }

  @Test
  void keepsADefinitionEstablishedWhoseNewShortNameIsTaken() {
    KubeObject established =
        CrdNaming.decide(Definitions.widgets(), CrdNaming.Taken.by(List.of()), NOW);
    KubeObject renamed = established.with(List.of("wd", "gd"), "spec", "names", "shortNames");
    var taken = CrdNaming.Taken.by(List.of(Map.of("shortNames", List.of("gd"))));

    KubeObject decided = CrdNaming.decide(renamed, taken, "later");

    assertThat(Conditions.find(decided, "NamesAccepted").orElseThrow().reason())
        .isEqualTo("ShortNamesConflict");
    assertThat(decided.hasCondition("Established")).isTrue();
    assertThat(decided.list("status", "acceptedNames", "shortNames")).containsExactly("wd");
  }
}
