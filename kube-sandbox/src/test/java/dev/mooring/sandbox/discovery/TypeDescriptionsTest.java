package dev.mooring.sandbox.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.Trees;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypeDescriptionsTest {
  private static final String[] FIELD = {"properties", "immutable", "description"};

  @Test
  void describesTypesAndTheirFields() {
    Map<String, Object> described =
        described("io.k8s.api.core.v1.ConfigMap", Map.of("type", "boolean"));

    assertThat(Trees.text(described, "description"))
        .isEqualTo("ConfigMap holds configuration data for pods to consume.");
    assertThat(Trees.text(described, FIELD)).startsWith("Immutable, if set to true, ensures");
  }

  /** A custom resource may have the name of a type of Kubernetes. */
  @Test
  void keepsWhatACustomResourceSaysOfItsFields() {
    Map<String, Object> described =
        described(
            "io.k8s.example.v1.ConfigMap", Map.of("type", "boolean", "description", "Own words."));

    assertThat(Trees.text(described, FIELD)).isEqualTo("Own words.");
  }

  private static Map<String, Object> described(String name, Map<String, Object> immutable) {
    return TypeDescriptions.described(
        name, Map.of("type", "object", "properties", Map.of("immutable", immutable)));
  }
}
