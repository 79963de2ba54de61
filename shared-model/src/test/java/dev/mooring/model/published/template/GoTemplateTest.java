package dev.mooring.model.published.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoTemplateTest {
  private static final Map<String, Object> VALUES =
      Map.of(
          "ClusterName",
          "2hh1nlb5kf5kw3rh",
          "Object",
          Map.of(
              "metadata", Map.of("name", "objname", "namespace", "objnamespace"),
              "spec", Map.of("size", 3L, "on", true, "empty", "", "list", List.of("a", 1L))));

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      textBlock =
          """
          plain text => plain text
          {{ .ClusterName }} => 2hh1nlb5kf5kw3rh
          a-{{.ClusterName}}-b => a-2hh1nlb5kf5kw3rh-b
          {{ .Object.metadata.namespace | sha3short }} => 2928c2aa0e510f017f07
          {{ .Object.metadata.name | sha3short }} => 73d08a1ba188f1340dae
          {{ sha3short .Object.metadata.name 5 }} => 73d08
          {{ .Object.metadata.name | sha3sum | trunc 5 }} => 73d08
          {{ .Object.metadata.name | shortHash }} => 8b09d63c82efb771a2c5
          {{ .Object.metadata.name | upper | lower | quote }} => "objname"
          {{ "a\\"b" | quote }} => "a\\"b"
          {{ `raw \\n` }} => raw \\n
          {{ .Object.spec.size }}/{{ .Object.spec.on }} => 3/true
          {{ default "x" .Object.spec.empty }} => x
          {{ .Object.spec.missing | default "y" }} => y
          {{ .Object.spec.missing }} => <no value>
          {{ .Object.metadata.name | trimPrefix "obj" }} => name
          {{ .Object.metadata.name | trimSuffix "name" }} => obj
          {{ .Object.metadata.name | replace "obj" "my" }} => myname
          {{ trunc -4 .Object.metadata.name }} => name
          {{ (default "x" .Object.spec.empty) | upper }} => X
          a {{- .ClusterName | trunc 2 -}} b => a2hb
          {{/* nothing */}}z => z
          {{ "}}" }} => }}
          """)
  void rendersAsGoDoes(String template, String expected) {
    assertThat(GoTemplate.compile(template, VALUES.keySet()).render(VALUES)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ .ClusterName",
        "{{ }}",
        "{{ nope .ClusterName }}",
        "{{ .Cluster }}",
        "{{ .ClusterName | }}",
        "{{ .ClusterName | .ClusterName }}",
        "{{ if .ClusterName }}x{{ end }}",
        "{{ $x := 1 }}",
        "{{ (.ClusterName }}",
        "{{ .ClusterName) }}",
        "{{ .ClusterName lower }}",
        "{{ sha3sum }}",
        "{{ \"open }}",
        "{{ .Object. }}"
      })
  void refusesWhatCanNeverWork(String template) {
    assertThatThrownBy(() -> GoTemplate.compile(template, VALUES.keySet()))
        .isInstanceOf(InvalidTemplate.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ .Object.spec.missing | lower }}",
        "{{ .Object.spec.size | sha3sum }}",
        "{{ .Object.spec.missing.deeper }}",
        "{{ .Object.metadata.name.deeper }}",
        "{{ sha3short .ClusterName 0 }}",
        "{{ trunc .ClusterName .ClusterName }}"
      })
  void failsWhereAValueDoesNotFit(String template) {
    GoTemplate compiled = GoTemplate.compile(template, VALUES.keySet());

    assertThatThrownBy(() -> compiled.render(VALUES)).isInstanceOf(TemplateFailure.class);
  }

  @Test
  void namesTheFieldsThatExist() {
    assertThatThrownBy(() -> GoTemplate.compile("{{ .Name }}", Set.of("Object", "ClusterName")))
        .hasMessage("unknown field .Name; known are [.ClusterName, .Object]");
  }

  @Test
  void refusesATemplateThatIsTooLong() {
    assertThatThrownBy(() -> GoTemplate.compile("x".repeat(GoTemplate.LENGTH_MAX + 1), Set.of()))
        .isInstanceOf(InvalidTemplate.class);
  }
}
