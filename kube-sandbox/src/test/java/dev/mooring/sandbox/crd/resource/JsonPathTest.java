package dev.mooring.sandbox.crd.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.sandbox.crd.Definitions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPathTest {
  private final Object object =
      Definitions.object(
              """
              metadata: {labels: {app.kubernetes.io/name: web}}
              spec: {size: 3, hosts: [a, b, c]}
              status:
                conditions:
                - {type: Synced, status: "False"}
                - {type: Ready, status: "True", reason: Up}
              """)
          .tree();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ".spec.size | [3]",
        ".spec.hosts[0] | [a]",
        ".spec.hosts[-1] | [c]",
        ".spec.hosts[*] | [a, b, c]",
        ".metadata.labels['app\\.kubernetes\\.io/name'] | [web]",
        ".metadata.labels['app.kubernetes.io/name'] | []",
        ".spec.hosts[1:] | [b, c]",
        ".spec.hosts[-2:-1] | [b]",
        ".spec.hosts[::2] | [a, c]",
        ".metadata.labels.app\\.kubernetes\\.io/name | [web]",
        ".status.conditions[?(@.type==\"Ready\")].status | [True]",
        ".status.conditions[?(@.type=='Ready')].reason | [Up]",
        ".status.conditions[?(@.type!='Ready')].type | [Synced]",
        ".status.missing.deep | []",
      })
  void findsWhatColumnsPointAt(String path, String found) {
    assertThat(JsonPath.parse(path).find(object)).hasToString(found);
  }

  @Test
  void refusesWhatItCannotRead() {
    assertThatThrownBy(() -> JsonPath.parse(".a[?(broken"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a JSON path: .a[?(broken");
  }

  @Test
  void showsValuesOfTheColumnsTypeOnly() {
    assertThat(ColumnValue.of("integer", List.of(3L))).isEqualTo(3L);
    assertThat(ColumnValue.of("integer", List.of("3"))).isNull();
    assertThat(ColumnValue.of("string", List.of(3L))).isEqualTo("3");
    assertThat(ColumnValue.of("date", List.of("2026-11-21T10:00:00Z")))
        .isEqualTo(Instant.parse("2026-11-21T10:00:00Z"));
    assertThat(ColumnValue.of("string", List.of())).isNull();
  }
}
