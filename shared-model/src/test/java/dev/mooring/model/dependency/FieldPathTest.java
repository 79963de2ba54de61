package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
  private static final KubeObject MACHINE =
      KubeObject.of(
          Map.of(
              "metadata", Map.of("name", "vm1"),
              "spec",
                  Map.of(
                      "vpcRef",
                      Map.of("name", "net1"),
                      "empty",
                      "",
                      "size",
                      3,
                      "names",
                      List.of("net1"))));

  @ParameterizedTest
  @ValueSource(strings = {".spec.vpcRef.name", "spec.vpcRef.name"})
  void readsANestedNameWithAndWithoutLeadingDot(String path) {
    assertThat(new FieldPath(path).namesIn(MACHINE)).containsExactly("net1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".spec.vpcRef.id",
        ".spec.size",
        ".spec.size.name",
        ".spec.names",
        ".spec.names.name",
        ".spec.vpcRef",
        ".spec.empty",
        ".status.name"
      })
  void findsNoNameWhereThereIsNoString(String path) {
    assertThat(new FieldPath(path).namesIn(MACHINE)).isEmpty();
  }

  @Test
  void nothingRefersToTheEmptyName() {
    assertThat(new FieldPath(".spec.empty").refersTo(MACHINE, "")).isFalse();
    assertThat(new FieldPath(".spec.missing").refersTo(MACHINE, "")).isFalse();
  }
}
