package dev.mooring.sandbox.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldQueryTest {
  private static final Map<String, List<String>> FIELDS =
      Map.of("spec.size", List.of("spec", "size"));
  private static final KubeObject OBJECT =
      KubeObject.of(
          Map.of("metadata", Map.of("name", "a", "namespace", "n"), "spec", Map.of("size", 5L)));

  private static boolean selects(String text) {
    return FieldQuery.parse(text, FIELDS, FieldQuery.NOT_SUPPORTED).test(OBJECT);
  }

  @Test
  void comparesDeclaredFieldsAndMetadata() {
    assertThat(selects("metadata.name=a,metadata.namespace==n")).isTrue();
    assertThat(selects("metadata.name!=a")).isFalse();
    assertThat(selects("spec.size=5")).isTrue();
    assertThat(selects("")).isTrue();
  }

  @Test
  void refusesFieldsThatAreNotDeclared() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> selects("spec.color=red"))
        .withMessage("field label not supported: spec.color");
  }

  @Test
  void readsEscapedValues() {
    assertThat(selects("spec.size!=a\\,b,metadata.name=a")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"metadata.name", "metadata.name=a=b", "metadata.name=a\\b"})
  void refusesMalformedTexts(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> selects(text));
  }

  @Test
  void knowsTheOneNameThatCanMatch() {
    assertThat(FieldQuery.parse("metadata.name=a", Map.of(), FieldQuery.NOT_SUPPORTED).exactName())
        .contains("a");
    assertThat(FieldQuery.parse("metadata.name!=a", Map.of(), FieldQuery.NOT_SUPPORTED).exactName())
        .isEmpty();
  }
}
