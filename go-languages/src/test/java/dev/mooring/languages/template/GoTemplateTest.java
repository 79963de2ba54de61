package dev.mooring.languages.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.Tables;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.template.value.GjsonValue;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoTemplateTest {
  private static final String SIGNS = "({.$|\" 10)}-:=";

  private static final Map<String, Object> VALUES =
      Map.of(
          "ClusterName", "2hh1nlb5kf5kw3rh",
          "ClusterPath", "root:org:team",
          "Object", resource("object.json"));

  /** What Go 1.26 and sprig 3.3 make of each template, with {@code object.json}. */
  static Stream<?> templates() {
    return Stream.of("templates.json", "definitions.json", "formats.json", "functions.json")
        .flatMap(name -> ((List<?>) resource(name)).stream());
  }

  /** What gjson 1.18 makes of {@code .Value}. */
  static Stream<?> values() {
    return Tables.list(resource("values.json"), "values").stream();
  }

  private static Object resource(String name) {
    return Tables.read(GoTemplateTest.class, name);
  }

  @ParameterizedTest
  @MethodSource("values")
  void readsAValueAsGjsonDoes(Object row) {
    Object document = Tables.at(resource("values.json"), "document");
    JsonPath path = JsonPath.compile(Tables.text(row, "path"));
    String template = Tables.text(row, "template");
    Map<String, Object> values = Map.of("Value", new GjsonValue(path.read(document)));
    GoTemplate compiled = GoTemplate.compile(template, values.keySet());

    if (Tables.at(row, "fails") != null) {
      assertThatThrownBy(() -> compiled.render(values)).isInstanceOf(TemplateFailure.class);
    } else {
      assertThat(compiled.render(values)).isEqualTo(Tables.at(row, "text"));
    }
  }

  private static String render(String template) {
    return GoTemplate.compile(template, VALUES.keySet()).render(VALUES);
  }

  @ParameterizedTest
  @MethodSource("templates")
  void rendersAsGoDoes(Object row) {
    String template = Tables.text(row, "template");
    switch (Tables.text(row, "fails")) {
      case "compiling" ->
          assertThatThrownBy(() -> GoTemplate.compile(template, VALUES.keySet()))
              .isInstanceOf(InvalidTemplate.class);
      case "rendering" -> {
        GoTemplate compiled = GoTemplate.compile(template, VALUES.keySet());
        assertThatThrownBy(() -> compiled.render(VALUES)).isInstanceOf(TemplateFailure.class);
      }
      default -> assertThat(render(template)).isEqualTo(Tables.at(row, "text"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      textBlock =
          """
          {{ .Object.spec.image }} => ubuntu:latest
          {{ .Object.spec.empty | default "test" }} => test
          {{ .Object.spec.nothing | default "test" }} => test
          {{ .Object.does.not.exist | default "test" }} => test
          """)
  void readsFieldsAndDefaultsEmptyAndMissingOnes(String template, String expected) {
    assertThat(render(template)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "now",
        "uuidv4",
        "randAlphaNum 5",
        "env \"HOME\"",
        "genCA \"a\" 1",
        "getHostByName \"a\"",
        "shuffle \"a\"",
        "htpasswd \"a\" \"b\"",
        "randInt 1 2",
        "ago 1"
      })
  void refusesFunctionsThatDoNotGiveTheSameEveryTime(String call) {
    assertThatThrownBy(() -> render("{{ " + call + " }}"))
        .isInstanceOf(InvalidTemplate.class)
        .hasMessageContaining("does not give the same result every time");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ date \"2006\" \"text\" }}",
        "{{ set .Object \"a\" 1 }}",
        "{{ merge .Object (dict) }}",
        "{{ unset .Object.spec \"size\" }}",
        "{{ b64dec \"***\" }}",
        "{{ toDate \"2006\" \"x\" }}",
        "{{ htmlDate -9223372036854775808 }}",
        "{{ durationRound (toDate \"2006\" \"2024\") }}",
        "{{ decryptAES \"a\" \"YWJj\" }}",
        "{{ printf \"%p\" (list 1) }}"
      })
  void failsWhereGoWouldReadTheClockOrHideAMistake(String template) {
    assertThatThrownBy(() -> render(template)).isInstanceOf(TemplateFailure.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      textBlock =
          """
          call .Object => no field of an object is a function
          derivePassword 1 "long" "a" "b" "c" => 32 MiB
          buildCustomCert "a" "b" => private key
          nope 1 => is not defined
          """)
  void saysWhyAFunctionIsLeftOut(String call, String reason) {
    assertThatThrownBy(() -> render("{{ " + call + " }}"))
        .isInstanceOf(InvalidTemplate.class)
        .hasMessageContaining(call.split(" ", 2)[0])
        .hasMessageContaining(reason);
  }

  @Test
  void refusesATemplateThatNothingDefines() {
    assertThatThrownBy(() -> render("{{ if false }}{{ template \"nope\" }}{{ end }}"))
        .hasMessage("the template \"nope\" is not defined");
  }

  @Test
  void decryptsWhatAnotherProgramHasEncrypted() {
    assertThat(
            render(
                "{{ decryptAES \"secretkey\" \"30tEfhuJSVRhpG97XCuWgz2okj7L8vQ1s6V9zVUPeDQ=\" }}"))
        .isEqualTo("plaintext");
  }

  @Test
  void namesTheFieldsThatExist() {
    assertThatThrownBy(() -> GoTemplate.compile("{{ .Name }}", Set.of("Object", "ClusterName")))
        .hasMessage("unknown field .Name; known are [.ClusterName, .Object]");
  }

  @Test
  void neverQuotesAValueInAFailure() {
    Map<String, Object> secret = Map.of("Object", Map.of("data", "hunter2", "list", List.of()));
    for (String template :
        List.of(
            "{{ .Object.data.x }}",
            "{{ .Object.data | mustFromJson }}",
            "{{ index .Object.list .Object.data }}",
            "{{ trunc .Object.data \"x\" }}",
            "{{ range .Object.data }}{{ end }}",
            "{{ b64dec .Object.data }}",
            "{{ lt .Object.data 1 }}")) {
      assertThatThrownBy(() -> GoTemplate.compile(template, secret.keySet()).render(secret))
          .as(template)
          .isInstanceOf(TemplateFailure.class)
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
    }
  }

  @Test
  void refusesATemplateThatIsTooLongOrTooDeep() {
    assertThatThrownBy(() -> GoTemplate.compile("x".repeat(GoTemplate.LENGTH_MAX + 1), Set.of()))
        .isInstanceOf(InvalidTemplate.class);
    assertThatThrownBy(() -> render("{{ " + "(".repeat(2000) + "1" + ")".repeat(2000) + " }}"))
        .isInstanceOf(InvalidTemplate.class);
    assertThatThrownBy(() -> render("{{ if true }}".repeat(500) + "{{ end }}".repeat(500)))
        .isInstanceOf(InvalidTemplate.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ range 1000000000 }}{{ end }}",
        "{{ range 9000 }}{{ range 9000 }}{{ end }}{{ end }}",
        "{{ range 100000 }}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{{ end }}",
        "{{ repeat 100000000 \"abc\" }}",
        "{{ $x := \"abcdefgh\" }}{{ range 100 }}{{ $x = print $x $x }}{{ end }}",
        "{{ $x := list 1 }}{{ range 100 }}{{ $x = list $x $x }}{{ end }}{{ $x }}",
        "{{ $x := list 1 }}{{ range 100 }}{{ $x = concat $x $x }}{{ end }}{{ len $x }}",
        "{{ $x := dict }}{{ range 100 }}{{ $_ := set $x (print .) $x }}{{ end }}{{ $x }}",
        "{{ $x := \"ab\" }}{{ range 100 }}{{ $x = replace \"a\" $x $x }}{{ end }}",
        "{{ untilStep 0 2000000000 1 }}",
        "{{ define \"a\" }}{{ template \"a\" . }}{{ end }}{{ template \"a\" . }}",
        "{{ define \"a\" }}{{ template \"b\" . }}{{ template \"b\" . }}{{ end }}"
            + "{{ define \"b\" }}{{ template \"a\" . }}{{ template \"a\" . }}{{ end }}"
            + "{{ template \"a\" . }}",
        "{{ $x := \"ab\" }}{{ range 100 }}{{ $x = wrapWith 1 $x $x }}{{ end }}",
        "{{ printf \"%99999d\" 1 }}",
        "{{ indent 1000000 \"a\" }}"
      })
  void boundsTimeAndMemoryOfARendering(String template) {
    assertThatThrownBy(() -> render(template)).isInstanceOf(TemplateFailure.class);
  }

  @Test
  void failsInNoOtherWayOnAnyInput() {
    var random = new Random(42);
    List<String> rows = templates().map(row -> Tables.text(row, "template")).toList();
    for (int i = 0; i < 5_000; i++) {
      String template = mutated(rows.get(random.nextInt(rows.size())), random, rows);
      try {
        render(template);
      } catch (InvalidTemplate | TemplateFailure e) {
        assertThat(e.getMessage()).isNotBlank();
      } catch (RuntimeException e) {
        assertThatExceptionOfType(TemplateFailure.class)
            .as(template)
            .isThrownBy(() -> {
              throw e;
            });
      }
    }
  }

  /** One of the templates, cut, spliced with another one, or with one character changed. */
  private static String mutated(String template, Random random, List<String> others) {
    int cut = random.nextInt(template.length() + 1);
    return switch (random.nextInt(4)) {
      case 0 -> template.substring(0, cut);
      case 1 ->
          template.substring(0, cut)
              + SIGNS.charAt(random.nextInt(SIGNS.length()))
              + template.substring(cut);
      case 2 -> {
        String other = others.get(random.nextInt(others.size()));
        yield template.substring(0, cut) + other.substring(random.nextInt(other.length() + 1));
      }
      default -> template.replaceFirst("[0-9]+", "-" + random.nextInt(100));
    };
  }
}
