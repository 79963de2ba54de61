package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    assertThat(namesIn(new FieldPath(path), MACHINE)).containsExactly("net1");
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
    assertThat(namesIn(new FieldPath(path), MACHINE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".spec.disks[*].volume | d1,d2",
        ".spec.names[*] | n1,n2",
        ".spec.matrix[*][*] | a,b,c",
        ".spec.groups[*].members[*].name | m1,m2,m3",
        ".metadata.annotations['example.com/vpc'] | net9",
        ".metadata.annotations[\"example.com/vpc\"] | net9",
        ".spec.vpc-ref.name | net8",
        "spec.disks[*].volume | d1,d2"
      })
  void readsListsQuotedKeysAndHyphens(String path, String names) {
    var object =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("annotations", Map.of("example.com/vpc", "net9")),
                "spec",
                Map.of(
                    "disks",
                    List.of(
                        Map.of("volume", "d1"),
                        Map.of("other", "x"),
                        "odd",
                        Map.of("volume", 7),
                        Map.of("volume", "d2")),
                    "names",
                    List.of("n1", 3, "", "n2"),
                    "matrix",
                    List.of(List.of("a"), List.of("b", "c"), "odd"),
                    "groups",
                    List.of(
                        Map.of("members", List.of(Map.of("name", "m1"), Map.of("name", "m2"))),
                        Map.of("members", List.of(Map.of("name", "m3")))),
                    "vpc-ref",
                    Map.of("name", "net8"))));

    assertThat(namesIn(new FieldPath(path), object)).containsExactly(names.split(","));
  }

  @Test
  void everyItemIsForListsAlone() {
    assertThat(namesIn(new FieldPath(".spec.vpcRef[*]"), MACHINE)).isEmpty();
  }

  @Test
  void tellsPathsWithOneValueFromOthers() {
    assertThat(new FieldPath(".metadata.annotations['a.b/c']").single()).isTrue();
    assertThat(new FieldPath(".spec.names[*]").single()).isFalse();
  }

  /** The non-empty strings at a path. */
  static List<String> namesIn(FieldPath path, KubeObject dependent) {
    return path.in(dependent).stream()
        .map(FieldPath.Found::value)
        .filter(value -> value instanceof String name && !name.isEmpty())
        .map(String.class::cast)
        .toList();
  }
}
