package dev.mooring.syncagent.published.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.InvalidPublishedResource.Reason;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MutationTest {
  private static final KubeObject CRONTAB =
      KubeJson.readObject(
          """
          {"apiVersion": "kcp.example.com/v1", "kind": "CronTab",
           "metadata": {"namespace": "default", "name": "my-crontab"},
           "spec": {"cronSpec": "* * *", "image": "ubuntu:latest"}}
          """);

  private static final KubeObject OTHER =
      CRONTAB.with("copy", "metadata", "name").with("debian", "spec", "image");

  private static Mutation rules(String json) {
    return Mutations.read(KubeJson.read("{\"spec\": " + json + "}"), "spec.mutation").spec();
  }

  private static KubeObject apply(String json, KubeObject object) {
    return rules(json).apply(Counterparts.fromKcp(object, Optional.of(OTHER)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          {"spec":{"name":"foo"}} => {"path":"spec.name","replacement":"new"} => {"spec":{"name":"new"}}
          {"spec":{"name":"foo"}} => {"path":"spec.name","pattern":"","replacement":"new"} => {"spec":{"name":"new"}}
          {"spec":{"name":"foo"}} => {"path":"spec.name","pattern":"o","replacement":"u"} => {"spec":{"name":"fuu"}}
          {"spec":{"name":"foo"}} => {"path":"spec.name","pattern":"(f)oo","replacement":"oo$1"} => {"spec":{"name":"oof"}}
          {"spec":{"n":24}} => {"path":"spec.n","pattern":"4","replacement":"5"} => {"spec":{"n":"25"}}
          {"spec":{"n":24}} => {"path":"spec","replacement":"new"} => {"spec":"new"}
          {"spec":{"n":24}} => {"path":"spec","pattern":"(.)","replacement":"$1"} => {"spec":"{\\"n\\":24}"}
          {"spec":{"n":24}} => {"path":"spec","replacement":""} => {"spec":""}
          {"spec":{"n":24}} => {"path":"spec","pattern":".+","replacement":""} => {"spec":""}
          {"spec":{}} => {"path":"spec.name","pattern":"o","replacement":"u"} => {"spec":{"name":""}}
          {"spec":{"names":["a","b"]}} => {"path":"spec.names.-1","replacement":"c"} => {"spec":{"names":["a","b","c"]}}
          """)
  void replacesByRegex(String object, String rule, String expected) {
    assertThat(apply("[{\"regex\": " + rule + "}]", KubeJson.readObject(object)))
        .isEqualTo(KubeJson.readObject(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          {"spec":{"secretName":"foo"}} => spec.secretName => {"spec":{}}
          {"spec":[1,2,3]} => spec.1 => {"spec":[1,3]}
          {"spec":[1,2,3]} => spec.-1 => {"spec":[1,2]}
          {"spec":{"a":{"b.c":1,"d":2}}} => spec.a.b\\.c => {"spec":{"a":{"d":2}}}
          {"spec":{"a":1}} => spec.b.c => {"spec":{"a":1}}
          """)
  void deletesKeysAndItems(String object, String path, String expected) {
    String rule = KubeJson.writeText(java.util.Map.of("path", path.replace("\\\\", "\\")));

    assertThat(apply("[{\"delete\": " + rule + "}]", KubeJson.readObject(object)))
        .isEqualTo(KubeJson.readObject(expected));
  }

  @Test
  void rendersTemplatesEvenEmptyOnesAndOverOtherTypes() {
    assertThat(template("spec.cronSpec", "")).isEqualTo(CRONTAB.with("", "spec", "cronSpec"));
    assertThat(template("spec", "")).isEqualTo(CRONTAB.with("", "spec"));
    assertThat(template("spec.image", "{{ upper .Value.String }}"))
        .isEqualTo(CRONTAB.with("UBUNTU:LATEST", "spec", "image"));
    assertThat(template("spec.image", "{{ .Value | upper }}"))
        .isEqualTo(CRONTAB.with("UBUNTU:LATEST", "spec", "image"));
    assertThat(template("spec.extra", "{{ if .Value.Exists }}a{{ else }}b{{ end }}"))
        .isEqualTo(CRONTAB.with("b", "spec", "extra"));
    assertThat(template("spec", "{{ .Value.Get \"image\" }} {{ (.Value.Map).cronSpec }}"))
        .isEqualTo(CRONTAB.with("ubuntu:latest * * *", "spec"));
  }

  private static KubeObject template(String path, String template) {
    String rule = KubeJson.writeText(java.util.Map.of("path", path, "template", template));
    return apply("[{\"template\": " + rule + "}]", CRONTAB);
  }

  @Test
  void escapesNothingInTemplates() {
    assertThat(template("spec.image", "<a href=\"{{ .Value }}&+'\">"))
        .isEqualTo(CRONTAB.with("<a href=\"ubuntu:latest&+'\">", "spec", "image"));
    assertThat(template("spec.image", "{{ \"<>&+'\" }}"))
        .isEqualTo(CRONTAB.with("<>&+'", "spec", "image"));
  }

  @Test
  void callsTheServiceClusterLocalAndKcpRemoteInBothDirections() {
    Mutation rules =
        rules(
            """
            [{"template": {"path": "spec.seen",
              "template": "{{ .LocalObject.metadata.name }} {{ .RemoteObject.metadata.name }}"}}]
            """);

    KubeObject down = rules.apply(Counterparts.fromKcp(CRONTAB, Optional.of(OTHER)));
    KubeObject up = rules.apply(Counterparts.fromService(OTHER, Optional.of(CRONTAB)));

    assertThat(down.text("spec", "seen")).isEqualTo("copy my-crontab");
    assertThat(up.text("spec", "seen")).isEqualTo("copy my-crontab");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'hei verden'                     | "hei verden"
          42                               | 42
          value + 'foo'                    | "* * *foo"
          other.spec.image                 | "debian"
          self.spec.image                  | "ubuntu:latest"
          null                             | null
          {'a': [1, 2.5, true]}            | {"a": [1, 2.5, true]}
          has(self.spec.none) ? 1.5 : 2.0  | 2
          """)
  void evaluatesCel(String expression, String expected) {
    String rule =
        KubeJson.writeText(java.util.Map.of("path", "spec.cronSpec", "expression", expression));

    assertThat(apply("[{\"cel\": " + rule + "}]", CRONTAB))
        .isEqualTo(CRONTAB.with(KubeJson.read(expected), "spec", "cronSpec"));
  }

  @Test
  void keepsACelListAList() {
    KubeObject result =
        apply(
            """
            [{"cel": {"path": "spec.words", "expression": "['a', 'b'].map(x, x + '!')"}}]
            """,
            CRONTAB);

    assertThat(result.at("spec", "words")).isEqualTo(java.util.List.of("a!", "b!"));
  }

  @Test
  void appliesRulesInTheirOrder() {
    KubeObject result =
        apply(
            """
            [{"regex": {"path": "spec.image", "replacement": "b"}},
             {"cel": {"path": "spec.image", "expression": "value + self.spec.image"}},
             {"delete": {"path": "spec.cronSpec"}}]
            """,
            CRONTAB);

    assertThat(result.at("spec")).isEqualTo(java.util.Map.of("image", "bb"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      textBlock =
          """
          {} => INVALID_SPEC => spec.mutation.spec[0]: exactly one of delete, regex, template or cel is needed
          {"delete":{"path":"a"},"cel":{"path":"a","expression":"1"}} => INVALID_SPEC => spec.mutation.spec[0]: exactly one of delete, regex, template or cel is needed, not delete and cel
          {"delete":{}} => INVALID_SPEC => spec.mutation.spec[0].delete.path is missing
          {"delete":{"path":"a.#.b"}} => INVALID_MUTATION => spec.mutation.spec[0].delete: the path "a.#.b" cannot be deleted
          {"regex":{"path":"a","pattern":"("}} => INVALID_MUTATION => spec.mutation.spec[0].regex: the pattern is not valid
          {"delete":{"path":"a.@reverse"}} => INVALID_MUTATION => spec.mutation.spec[0].delete: the path "a.@reverse" cannot be deleted
          {"regex":{"path":"a.#(b"}} => INVALID_MUTATION => spec.mutation.spec[0].regex: the query "#(b" is never closed
          {"template":{"path":"a","template":"{{ nope }}"}} => INVALID_TEMPLATE => spec.mutation.spec[0].template.template: function "nope" is not defined
          {"template":{"path":"a","template":"{{ .Object }}"}} => INVALID_TEMPLATE => spec.mutation.spec[0].template.template: unknown field .Object
          {"cel":{"path":"a","expression":"self."}} => INVALID_MUTATION => spec.mutation.spec[0].cel: the CEL expression is not valid
          {"cel":{"path":"a","expression":"object.a"}} => INVALID_MUTATION => spec.mutation.spec[0].cel: the CEL expression is not valid
          """)
  void refusesRulesThatCannotWork(String rule, Reason reason, String message) {
    assertThatThrownBy(() -> rules("[" + rule + "]"))
        .isInstanceOfSatisfying(
            InvalidPublishedResource.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.getMessage()).startsWith(message);
            });
  }

  @Test
  void namesTheRuleThatFails() {
    assertThatThrownBy(() ->
            apply(
                """
                [{"delete": {"path": "x"}},
                 {"cel": {"path": "spec.size", "expression": "self.spec.none"}}]
                """,
                CRONTAB))
        .isInstanceOf(MutationFailure.class)
        .hasMessage("spec.mutation.spec[1] (cel at \"spec.size\"): no such field: none");
  }
}
