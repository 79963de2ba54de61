package dev.mooring.sandbox.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.json.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoJsonTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | unexpected end of JSON input",
        "{ | unexpected end of JSON input",
        "[] x | invalid character 'x' after top-level value",
        "oops | invalid character 'o' looking for beginning of value",
        "{a | invalid character 'a' looking for beginning of object key string",
        "{\"a\" 1} | invalid character '1' after object key",
        "{\"a\":1 \"b\"} | invalid character '\"' after object key:value pair",
        "[1 2] | invalid character '2' after array element",
        "tru} | invalid character '}' in literal true (expecting 'e')",
        "-x | invalid character 'x' in numeric literal",
        "1.x | invalid character 'x' after decimal point in numeric literal",
        "1ex | invalid character 'x' in exponent of numeric literal",
        "01 | invalid character '1' after top-level value",
        "\"\\q\" | invalid character 'q' in string escape code",
        "\"\\u12x4\" | invalid character 'x' in \\u hexadecimal character escape",
        "\"a | unexpected end of JSON input",
      })
  void saysInGosWordsWhyATextIsNoJson(String text, String message) {
    assertThatExceptionOfType(MalformedJson.class)
        .isThrownBy(() -> GoJson.read(bytes(text)))
        .withMessage(message);
  }

  @Test
  void findsFieldsThatAnObjectHasTwice() {
    String text =
        """
        {"a": {"b": 1, "b": 2}, "l": [{"x": 1}, {"x": 1, "\\u0078": 2}], "c": {"b": 1}, "a": 3}
        """;

    assertThat(GoJson.strictFaults(bytes(text), List.of()))
        .containsExactly(
            "duplicate field \"a.b\"", "duplicate field \"l[1].x\"", "duplicate field \"a\"");
  }

  @Test
  void listsUnknownAndRepeatedFieldsInTheOrderOfTheTextAndSkipsWhatIsUnknown() {
    String text =
        """
        {"x": [{"d": 1, "d": 2}], "a": {"b": 1, "b": 2}, "y": 1}
        """;

    assertThat(GoJson.strictFaults(bytes(text), List.of("y", "x")))
        .containsExactly("unknown field \"x\"", "duplicate field \"a.b\"", "unknown field \"y\"");
  }

  @Test
  void indentsAsGoDoes() {
    String json = "{\"a\":[1,{\"b\":\"x,{\\\"}\"}],\"c\":{},\"d\":[]}\n";

    assertThat(GoJson.indented(bytes(json)))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            """
            {
              "a": [
                1,
                {
                  "b": "x,{\\"}"
                }
              ],
              "c": {},
              "d": []
            }\
            """);
  }

  @Test
  void encodesAsGoDoes() {
    String json = "{\"a\":\"<b> & \u2028\"}";

    assertThat(GoJson.encoded(bytes(json)))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"a\":\"\\u003cb\\u003e \\u0026 \\u2028\"}\n");
  }
}
