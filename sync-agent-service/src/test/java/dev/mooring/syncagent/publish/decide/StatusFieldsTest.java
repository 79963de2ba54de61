package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusFieldsTest {
  @Test
  void keepsEverythingWhereTheCrdIsNotSeen() {
    assertThat(StatusFields.of(Optional.empty())).isEqualTo(StatusFields.ALL);
  }

  @Test
  void keepsWhatTheCrdKnows() {
    StatusFields fields =
        StatusFields.of(
            Optional.of(crd(Map.of("properties", Map.of("resourceSchemaName", Map.of())))));

    assertThat(fields.known()).contains(Set.of("resourceSchemaName"));
    assertThat(fields.kept(Map.of("resourceSchemaName", "s", "conditions", List.of())))
        .isEqualTo(Map.of("resourceSchemaName", "s"));
  }

  @Test
  void keepsEverythingWhereTheCrdDoes() {
    assertThat(
            StatusFields.of(Optional.of(crd(Map.of("x-kubernetes-preserve-unknown-fields", true)))))
        .isEqualTo(StatusFields.ALL);
  }

  private static KubeObject crd(Map<String, Object> status) {
    return KubeObject.of(
        Map.of(
            "spec",
            Map.of(
                "versions",
                List.of(
                    Map.of(
                        "name",
                        "v1alpha1",
                        "schema",
                        Map.of(
                            "openAPIV3Schema", Map.of("properties", Map.of("status", status))))))));
  }
}
