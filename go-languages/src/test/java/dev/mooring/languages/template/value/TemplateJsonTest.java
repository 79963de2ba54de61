package dev.mooring.languages.template.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.GoJson;
import dev.mooring.languages.template.GoTemplate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateJsonTest {
  private static final String HALF = "x".repeat(GoTemplate.OUTPUT_MAX / 2);

  @Test
  void writesWhatATemplateCanHold() {
    Object value =
        Map.of("b", Arrays.asList(1L, null, Missing.VALUE), "a", Map.of("text", "<", "flag", true));

    assertThat(TemplateJson.raw(value))
        .isEqualTo("{\"a\":{\"flag\":true,\"text\":\"<\"},\"b\":[1,null,null]}");
    assertThat(TemplateJson.escaped(value)).contains("\"text\":\"\\u003c\"");
    assertThat(TemplateJson.pretty(List.of(1L))).isEqualTo("[\n  1\n]");
  }

  @Test
  void endsWhereTheTextIsLongerThanARenderingMayBe() {
    Object value = Collections.nCopies(3, HALF);

    assertThatThrownBy(() -> TemplateJson.raw(value)).isInstanceOf(ExpressionFailure.class);
    assertThatThrownBy(() -> TemplateJson.escaped(value)).isInstanceOf(ExpressionFailure.class);
    assertThatThrownBy(() -> TemplateJson.pretty(value)).isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void looksAtNoValueBehindTheLimit() {
    Object value = List.of("12345678", "9", new Object());

    assertThatThrownBy(() -> GoJson.write(value, GoJson.Html.ESCAPED, 10))
        .isInstanceOf(ExpressionFailure.class)
        .hasMessage("the result is longer than 10 characters");
  }
}
