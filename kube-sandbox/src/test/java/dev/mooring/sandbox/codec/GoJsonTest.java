package dev.mooring.sandbox.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class GoJsonTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void findsFieldsThatAnObjectHasTwice() {
    String text =
        """
        {"a": {"b": 1, "b": 2}, "l": [{"x": 1}, {"x": 1, "\\u0078": 2}], "c": {"b": 1}, "a": 3}
        """;

    assertThat(GoJson.repeatedFields(bytes(text)))
        .containsExactly(
            "duplicate field \"a.b\"", "duplicate field \"l[1].x\"", "duplicate field \"a\"");
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
}
