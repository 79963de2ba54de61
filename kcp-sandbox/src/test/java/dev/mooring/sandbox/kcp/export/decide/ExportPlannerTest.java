package dev.mooring.sandbox.kcp.export.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner.Identity;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner.Step;
import org.junit.jupiter.api.Test;

class ExportPlannerTest {
  private static final String NOW = "2026-11-21T10:00:00Z";
  private static final Identity KNOWN = new Identity.Known("abc");

  private static final KubeObject FRESH =
      KubeJson.readObject(
          """
          {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIExport", "metadata": {"name": "gizmos"},
           "spec": {"resources": [
             {"schema": "v1.gizmos.example.io", "storage": {"crd": {}}},
             {"schema": "v1.views.example.io", "storage": {"virtual": {}}},
             {"schema": "v1.boats.example.io", "storage": {"crd": {}}}]}}
          """);
  private static final KubeObject WITH_SECRET = referring(FRESH);

  private static KubeObject referring(KubeObject export) {
    return ((Step.Update) ExportPlanner.next(export, KNOWN, NOW)).export();
  }

  private static KubeObject written(KubeObject export, Identity identity) {
    return ((Step.Update) ExportPlanner.next(export, identity, NOW)).export();
  }

  private static String message(KubeObject export) {
    return Trees.textOrEmpty(Trees.at(export.list("status", "conditions").getFirst(), "message"));
  }

  @Test
  void makesASecretThenRefersToItThenPublishesItsHash() {
    assertThat(ExportPlanner.next(FRESH, new Identity.NoSecret(), NOW))
        .isInstanceOf(Step.MakeSecret.class);
    assertThat(ExportPlanner.secret(WITH_SECRET))
        .isEqualTo(new ExportPlanner.SecretReference("kcp-system", "gizmos"));

    KubeObject identified = written(WITH_SECRET, KNOWN);

    assertThat(identified.text("status", "identityHash")).isEqualTo("abc");
    assertThat(identified.hasCondition(ExportPlanner.IDENTITY_VALID)).isTrue();
    assertThat(ExportPlanner.next(identified, KNOWN, NOW)).isInstanceOf(Step.Await.class);
  }

  @Test
  void doesNotReplaceASecretWithoutAKey() {
    assertThat(ExportPlanner.next(FRESH, new Identity.NoKey(), NOW))
        .isInstanceOf(Step.Update.class);

    KubeObject waiting = written(WITH_SECRET, new Identity.NoKey());

    assertThat(message(waiting)).isEqualTo("secret is missing data.key");
    assertThat(ExportPlanner.next(waiting, new Identity.NoKey(), NOW))
        .isInstanceOf(Step.Await.class);
  }

  @Test
  void makesNoSecretInPlaceOfOneThatTheSpecNames() {
    KubeObject waiting = written(WITH_SECRET, new Identity.NoSecret());

    assertThat(message(waiting)).isEqualTo("secrets \"gizmos\" not found");
  }

  @Test
  void keepsTheIdentityWhenTheSecretChanges() {
    KubeObject identified = written(WITH_SECRET, KNOWN);
    KubeObject after = written(identified, new Identity.Known("other"));

    assertThat(after.text("status", "identityHash")).isEqualTo("abc");
    assertThat("False".equals(after.condition(ExportPlanner.IDENTITY_VALID))).isTrue();
    assertThat(message(after))
        .startsWith("hash mismatch: ")
        .endsWith("must match status.identityHash \"abc\"");
  }

  @Test
  void listsSchemasInTheirOrder() {
    assertThat(ExportPlanner.schemaNames(FRESH))
        .containsExactly("v1.gizmos.example.io", "v1.views.example.io", "v1.boats.example.io");
  }
}
