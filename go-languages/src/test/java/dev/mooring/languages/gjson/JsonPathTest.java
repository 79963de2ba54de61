package dev.mooring.languages.gjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.GoNumbers;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.Tables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table holds what gjson 1.18 and sjson 1.2 make of each path. */
class JsonPathTest {
  private static final Object TABLE = Tables.read(JsonPathTest.class, "paths.json");
  private static final Object COMPUTED = Tables.read(JsonPathTest.class, "computed-paths.json");
  private static final Map<String, Object> DOCUMENT = Tables.map(TABLE, "document");

  static Stream<?> get() {
    return Tables.list(TABLE, "get").stream();
  }

  static Stream<?> computed() {
    return Tables.list(COMPUTED, "get").stream();
  }

  static Stream<?> set() {
    return Tables.list(TABLE, "set").stream();
  }

  static Stream<?> delete() {
    return Tables.list(TABLE, "delete").stream();
  }

  private static String path(Object row) {
    return Tables.text(row, "path");
  }

  @ParameterizedTest
  @MethodSource("get")
  void readsAsGjsonDoes(Object row) {
    JsonPath.Result result = JsonPath.compile(path(row)).read(DOCUMENT);

    if (Tables.at(row, "missing") != null) {
      assertThat(result).isEqualTo(new JsonPath.Result.Missing());
    } else {
      assertThat(result).isEqualTo(new JsonPath.Result.Found(Tables.at(row, "value")));
      assertThat(JsonPath.text(result)).isEqualTo(Tables.at(row, "text"));
    }
  }

  @ParameterizedTest
  @MethodSource("computed")
  void computesAsGjsonDoes(Object row) {
    JsonPath.Result result = JsonPath.compile(path(row)).read(Tables.map(COMPUTED, "document"));

    if (Tables.at(row, "missing") != null) {
      assertThat(result).isEqualTo(new JsonPath.Result.Missing());
    } else {
      assertThat(result)
          .isInstanceOfSatisfying(
              JsonPath.Result.Found.class,
              found ->
                  assertThat(normal(found.value())).isEqualTo(normal(Tables.at(row, "value"))));
      assertThat(JsonPath.text(result)).isEqualTo(Tables.at(row, "text"));
    }
  }

  /** Numbers as trees hold them, so that 2 and 2.0 are the same. */
  private static Object normal(Object value) {
    return switch (value) {
      case Number number -> GoNumbers.normal(number.doubleValue());
      case List<?> list -> list.stream().map(JsonPathTest::normal).toList();
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, Object>();
        map.forEach((name, field) -> fields.put((String) name, normal(field)));
        yield fields;
      }
      case null, default -> value;
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "children|0",
        "name.@this",
        "@this",
        "@this.age",
        "children.@reverse",
        "friends.#(age>45)#|0",
        "name.{first}|first",
        "friends.#.@keys"
      })
  void writesNothingToWhatAPathComputes(String path) {
    assertThat(JsonEdit.compile(path).set(DOCUMENT, "X")).isEqualTo(DOCUMENT);
    assertThatThrownBy(() -> JsonEdit.compileDeletion(path)).isInstanceOf(InvalidExpression.class);
  }

  @ParameterizedTest
  @MethodSource("set")
  void writesAsSjsonDoes(Object row) {
    if (Tables.at(row, "fails") != null) {
      assertThatThrownBy(() -> JsonEdit.compile(path(row)).set(DOCUMENT, "X"))
          .isInstanceOfAny(InvalidExpression.class, ExpressionFailure.class);
    } else {
      assertThat(JsonEdit.compile(path(row)).set(DOCUMENT, "X")).isEqualTo(expected(row));
    }
  }

  @ParameterizedTest
  @MethodSource("delete")
  void deletesAsSjsonDoes(Object row) {
    if (Tables.at(row, "fails") != null) {
      assertThatThrownBy(() -> JsonEdit.compileDeletion(path(row)).delete(DOCUMENT))
          .isInstanceOf(InvalidExpression.class);
    } else {
      assertThat(JsonEdit.compileDeletion(path(row)).delete(DOCUMENT)).isEqualTo(expected(row));
    }
  }

  private static Map<String, Object> expected(Object row) {
    var tree = new LinkedHashMap<>(DOCUMENT);
    tree.putAll(Tables.map(row, "changed"));
    Tables.list(row, "removed").forEach(tree::remove);
    return tree;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "!{\"a\":", "![1,", "a.#(b", "a.#(b==1)x", "a.#(=)b"})
  void refusesWhatItDoesNotKnow(String path) {
    assertThatThrownBy(() -> JsonPath.compile(path)).isInstanceOf(InvalidExpression.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[@this,@this]|[@this,@this]|[@this,@this]|[@this,@this]|[@this,@this]|[@this,@this]|"
            + "[@this,@this]|[@this,@this]|[@this,@this]|[@this,@this]|[@this,@this]|[@this,@this]",
        "@dig:@this|@dig:@this|@dig:@this|@dig:@this|@dig:@this|@dig:@this|@dig:@this|@dig:@this"
      })
  void boundsTimeAndMemoryOfAReading(String path) {
    JsonPath compiled = JsonPath.compile(path);
    Map<String, Object> document = Tables.map(COMPUTED, "document");

    assertThatThrownBy(() -> compiled.read(document)).isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void takesTheFirstFieldByNameInAnyOrder() {
    var first = new LinkedHashMap<String, Object>();
    first.put("ab", 1L);
    first.put("aa", 2L);

    assertThat(JsonPath.compile("a*").read(first)).isEqualTo(new JsonPath.Result.Found(2L));
  }

  @Test
  void leavesTheDocumentAsItWas() {
    Map<String, Object> before = Map.of("a", Map.of("b", List.of(1L)));

    Map<String, Object> after = JsonEdit.compile("a.b.0").set(before, 2L);

    assertThat(before).isEqualTo(Map.of("a", Map.of("b", List.of(1L))));
    assertThat(after).isEqualTo(Map.of("a", Map.of("b", List.of(2L))));
    assertThat(JsonEdit.compileDeletion("a.c").delete(before)).isSameAs(before);
  }

  @Test
  void boundsHowFarAListIsFilledUp() {
    assertThatThrownBy(() -> JsonEdit.compile("children.999999999").set(DOCUMENT, "X"))
        .isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void failsInNoOtherWayOnAnyInput() {
    var random = new Random(7);
    List<String> paths =
        Stream.of(get(), set(), delete(), computed())
            .flatMap(s -> s)
            .map(JsonPathTest::path)
            .toList();
    for (int i = 0; i < 5_000; i++) {
      String one = paths.get(random.nextInt(paths.size()));
      String other = paths.get(random.nextInt(paths.size()));
      String path =
          one.substring(0, random.nextInt(one.length() + 1))
              + "#.(\\|\"=*~@[{!:,".charAt(random.nextInt(15))
              + other.substring(random.nextInt(other.length() + 1));
      try {
        JsonPath.compile(path).read(DOCUMENT);
        JsonEdit.compile(path).set(DOCUMENT, List.of());
        JsonEdit.compileDeletion(path).delete(DOCUMENT);
      } catch (InvalidExpression | ExpressionFailure e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }
}
