package dev.mooring.sandbox.kcp.api.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiExportConversionTest {
  private static final KubeObject OLD =
      KubeJson.readObject(
          """
          {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIExport", "metadata": {"name": "e"},
           "spec": {
             "latestResourceSchemas": ["v1.foos.a.example.io", "v2.bars.core"],
             "permissionClaims": [
               {"group": "", "resource": "configmaps", "all": true},
               {"group": "", "resource": "secrets", "resourceSelector": [{"name": "only-me"}]}]}}
          """);

  private static final KubeObject NEW =
      KubeJson.readObject(
          """
          {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIExport", "metadata": {"name": "e"},
           "spec": {
             "resources": [
               {"group": "a.io", "name": "foos", "schema": "v1.foos.a.io", "storage": {"crd": {}}},
               {"group": "a.io", "name": "bars", "schema": "v1.bars.a.io",
                "storage": {"virtual": {"identityHash": "h", "reference": {"name": "x"}}}}],
             "permissionClaims": [
               {"group": "", "resource": "configmaps", "identityHash": "", "verbs": ["get", "list"]},
               {"group": "b.io", "resource": "cars", "identityHash": "x", "verbs": ["*"]}]}}
          """);

  @Test
  void readsResourcesFromSchemaNames() {
    assertThat(ApiExportConversion.upgrade(OLD).list("spec", "resources"))
        .isEqualTo(
            KubeJson.read(
                """
                [{"group": "a.example.io", "name": "foos", "schema": "v1.foos.a.example.io",
                  "storage": {"crd": {}}},
                 {"group": "", "name": "bars", "schema": "v2.bars.core", "storage": {"crd": {}}}]
                """));
  }

  @Test
  void givesOldClaimsEveryVerbAndRemembersWhatTheySaid() {
    KubeObject upgraded = ApiExportConversion.upgrade(OLD);

    assertThat(upgraded.list("spec", "permissionClaims"))
        .isEqualTo(
            KubeJson.read(
                """
                [{"group": "", "identityHash": "", "resource": "configmaps", "verbs": ["*"]},
                 {"group": "", "identityHash": "", "resource": "secrets", "verbs": ["*"]}]
                """));
    assertThat(KubeJson.read(upgraded.annotation(ApiExportConversion.OLD_CLAIMS).orElseThrow()))
        .isEqualTo(
            KubeJson.read(
                """
                [{"resource": "configmaps", "all": true},
                 {"resource": "secrets", "resourceSelector": [{"name": "only-me"}]}]
                """));
  }

  @Test
  void bringsAnOldExportBackAsItWas() {
    KubeObject back = ApiExportConversion.downgrade(ApiExportConversion.upgrade(OLD));

    assertThat(back.list("spec", "latestResourceSchemas"))
        .isEqualTo(OLD.list("spec", "latestResourceSchemas"));
    assertThat(back.list("spec", "permissionClaims"))
        .isEqualTo(
            KubeJson.read(
                """
                [{"resource": "configmaps", "all": true},
                 {"resource": "secrets", "resourceSelector": [{"name": "only-me"}]}]
                """));
    assertThat(back.annotations()).isEmpty();
  }

  @Test
  void bringsANewExportBackAsItWas() {
    KubeObject there = ApiExportConversion.downgrade(NEW);
    KubeObject back = ApiExportConversion.upgrade(there);

    assertThat(there.list("spec", "latestResourceSchemas")).containsExactly("v1.foos.a.io");
    assertThat(back.list("spec", "resources")).isEqualTo(NEW.list("spec", "resources"));
    assertThat(back.list("spec", "permissionClaims"))
        .isEqualTo(NEW.list("spec", "permissionClaims"));
    assertThat(back.annotations()).containsOnlyKeys(ApiExportConversion.OLD_CLAIMS);
  }

  @Test
  void refusesASchemaNameWithoutAGroup() {
    KubeObject broken = OLD.with(List.of("v1.foos"), "spec", "latestResourceSchemas");

    assertThatThrownBy(() -> ApiExportConversion.upgrade(broken))
        .hasMessage("invalid schema \"v1.foos\": must have at least 3 dot-separated segments");
  }
}
