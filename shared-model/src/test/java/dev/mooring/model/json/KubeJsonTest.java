package dev.mooring.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.object.KubeObject;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeJsonTest {
  @Test
  void keepsEveryFieldInItsOrder() {
    String text =
        "{\"z\":1,\"a\":[null,true,\"é\\n\",-0.5],\"m\":{\"big\":9007199254740993,\"n\":null}}";

    assertThat(KubeJson.writeText(KubeJson.read(text))).isEqualTo(text);
  }

  @Test
  void readsWholeNumbersAsLongWhereTheyFit() {
    KubeObject read =
        KubeJson.readObject(
            "{\"i\":1,\"l\":9223372036854775807,\"b\":9223372036854775808,\"d\":1.5}");

    assertThat(read.at("i")).isEqualTo(1L);
    assertThat(read.at("l")).isEqualTo(Long.MAX_VALUE);
    assertThat(read.at("b")).isEqualTo(new BigInteger("9223372036854775808"));
    assertThat(read.at("d")).isEqualTo(1.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\":}", "{} {}", "nope", "{\"a\":1"})
  void refusesMalformedText(String text) {
    assertThatThrownBy(() -> KubeJson.readObject(text)).isInstanceOf(MalformedJson.class);
  }

  @Test
  void refusesADocumentThatIsNotAnObject() {
    assertThatThrownBy(() -> KubeJson.readObject("[1]"))
        .isInstanceOf(MalformedJson.class)
        .hasMessage("the document is not an object");
  }

  @Test
  void refusesNestingWithoutEnd() {
    String deep = "{\"a\":".repeat(600) + "1" + "}".repeat(600);

    assertThatThrownBy(() -> KubeJson.readObject(deep)).isInstanceOf(MalformedJson.class);
  }

  @Test
  void neverQuotesTheTextInAnError() {
    assertThatThrownBy(() -> KubeJson.readObject("{\"password\":\"hunter2\" \"x\"}"))
        .isInstanceOf(MalformedJson.class)
        .message()
        .doesNotContain("hunter2");
  }
}
