package dev.mooring.sandbox.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import org.junit.jupiter.api.Test;

class ComponentSchemasTest {
  @Test
  void publishesNoKeywordWithoutAValue() {
    Object given =
        KubeJson.read(
            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"or so\":null,\"enum\":[\"b\",null]}}}");

    assertThat(ComponentSchemas.unmarked(given))
        .isEqualTo(
            KubeJson.read(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":[\"b\"]}}}"));
  }
}
