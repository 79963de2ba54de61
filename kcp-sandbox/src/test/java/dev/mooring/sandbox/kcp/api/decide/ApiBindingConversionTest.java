package dev.mooring.sandbox.kcp.api.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import org.junit.jupiter.api.Test;

class ApiBindingConversionTest {
  private static final KubeObject NEW =
      KubeJson.readObject(
          """
          {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIBinding", "metadata": {"name": "b"},
           "spec": {
             "reference": {"export": {"name": "e", "path": "root:p"}},
             "permissionClaims": [
               {"group": "", "identityHash": "", "resource": "configmaps",
                "selector": {"matchAll": true}, "state": "Accepted", "verbs": ["*"]},
               {"group": "", "identityHash": "", "resource": "secrets",
                "selector": {"matchLabels": {"share": "yes"}}, "state": "Rejected",
                "verbs": ["get"]}]},
           "status": {
             "phase": "Bound",
             "exportPermissionClaims": [
               {"group": "", "identityHash": "", "resource": "secrets", "verbs": ["get"]}],
             "appliedPermissionClaims": [
               {"group": "", "identityHash": "", "resource": "secrets",
                "selector": {"matchLabels": {"share": "yes"}}, "verbs": ["get"]}]}}
          """);

  @Test
  void saysAllWhereTheSelectorDoes() {
    assertThat(ApiBindingConversion.downgrade(NEW).list("spec", "permissionClaims"))
        .isEqualTo(
            KubeJson.read(
                """
                [{"all": true, "resource": "configmaps", "state": "Accepted"},
                 {"resource": "secrets", "state": "Rejected"}]
                """));
  }

  @Test
  void bringsVerbsAndSelectorsBack() {
    KubeObject back = ApiBindingConversion.upgrade(ApiBindingConversion.downgrade(NEW));

    assertThat(back.map("spec")).isEqualTo(NEW.map("spec"));
    assertThat(back.map("status")).isEqualTo(NEW.map("status"));
  }

  @Test
  void takesOldNameSelectorsForEverything() {
    KubeObject old =
        KubeJson.readObject(
            """
            {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIBinding", "metadata": {"name": "b"},
             "spec": {"reference": {"export": {"name": "e"}}, "permissionClaims": [
               {"resource": "configmaps", "resourceSelector": [{"name": "x"}], "state": "Accepted"}]}}
            """);

    KubeObject upgraded = ApiBindingConversion.upgrade(old);

    assertThat(PermissionClaim.ofBinding(upgraded))
        .singleElement()
        .satisfies(claim -> {
          assertThat(claim.accepted()).isTrue();
          assertThat(claim.selector().matchesAll()).isTrue();
          assertThat(claim.verbs()).containsExactly("*");
        });
    assertThat(ApiBindingConversion.downgrade(upgraded).map("spec")).isEqualTo(old.map("spec"));
  }
}
