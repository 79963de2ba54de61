package dev.mooring.model.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
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
  private static final KubeObject TABLE = table("paths.json");
  private static final KubeObject COMPUTED = table("computed-paths.json");
  private static final KubeObject DOCUMENT = KubeObject.of(TABLE.map("document"));

  private static KubeObject table(String name) {
    try (InputStream in = JsonPathTest.class.getResourceAsStream(name)) {
      return KubeJson.readObject(in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static Stream<Object> get() {
    return TABLE.list("get").stream();
  }

  static Stream<Object> computed() {
    return COMPUTED.list("get").stream();
  }

  static Stream<Object> set() {
    return TABLE.list("set").stream();
  }

  static Stream<Object> delete() {
    return TABLE.list("delete").stream();
  }

  private static String path(Object row) {
    return Trees.textOrEmpty(Trees.at(row, "path"));
  }

  @ParameterizedTest
  @MethodSource("get")
  void readsAsGjsonDoes(Object row) {
    JsonPath.Result result = JsonPath.compile(path(row)).read(DOCUMENT.tree());

    if (Trees.at(row, "missing") != null) {
      assertThat(result).isEqualTo(new JsonPath.Result.Missing());
    } else {
      assertThat(result).isEqualTo(new JsonPath.Result.Found(Trees.at(row, "value")));
      assertThat(JsonPath.text(result)).isEqualTo(Trees.at(row, "text"));
    }
  }

  @ParameterizedTest
  @MethodSource("computed")
  void computesAsGjsonDoes(Object row) {
    JsonPath.Result result = JsonPath.compile(path(row)).read(COMPUTED.map("document"));

    if (Trees.at(row, "missing") != null) {
      assertThat(result).isEqualTo(new JsonPath.Result.Missing());
    } else {
      assertThat(result)
          .isInstanceOfSatisfying(
              JsonPath.Result.Found.class,
              found -> assertThat(normal(found.value())).isEqualTo(normal(Trees.at(row, "value"))));
      assertThat(JsonPath.text(result)).isEqualTo(Trees.at(row, "text"));
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
    if (Trees.at(row, "fails") != null) {
      assertThatThrownBy(() -> JsonEdit.compile(path(row)).set(DOCUMENT, "X"))
          .isInstanceOfAny(InvalidExpression.class, ExpressionFailure.class);
    } else {
      assertThat(JsonEdit.compile(path(row)).set(DOCUMENT, "X")).isEqualTo(expected(row));
    }
  }

  @ParameterizedTest
  @MethodSource("delete")
  void deletesAsSjsonDoes(Object row) {
    if (Trees.at(row, "fails") != null) {
      assertThatThrownBy(() -> JsonEdit.compileDeletion(path(row)).delete(DOCUMENT))
          .isInstanceOf(InvalidExpression.class);
    } else {
      assertThat(JsonEdit.compileDeletion(path(row)).delete(DOCUMENT)).isEqualTo(expected(row));
    }
  }

  private static KubeObject expected(Object row) {
    var tree = new LinkedHashMap<String, Object>(DOCUMENT.tree());
    tree.putAll(Trees.mapOrEmpty(Trees.at(row, "changed")));
    Trees.listOrEmpty(Trees.at(row, "removed")).forEach(tree::remove);
    return KubeObject.of(tree);
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
    Map<String, Object> document = COMPUTED.map("document");

    assertThatThrownBy(() -> compiled.read(document)).isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void takesTheFirstFieldByNameWhateverTheirOrder() {
    var first = new LinkedHashMap<String, Object>();
    first.put("ab", 1L);
    first.put("aa", 2L);

    assertThat(JsonPath.compile("a*").read(first)).isEqualTo(new JsonPath.Result.Found(2L));
  }

  @Test
  void leavesTheDocumentAsItWas() {
    KubeObject before = KubeObject.of(Map.of("a", Map.of("b", List.of(1L))));

    KubeObject after = JsonEdit.compile("a.b.0").set(before, 2L);

    assertThat(before).isEqualTo(KubeObject.of(Map.of("a", Map.of("b", List.of(1L)))));
    assertThat(after).isEqualTo(KubeObject.of(Map.of("a", Map.of("b", List.of(2L)))));
    assertThat(JsonEdit.compileDeletion("a.c").delete(before)).isSameAs(before);
  }

  @Test
  void boundsHowFarAListIsFilledUp() {
    assertThatThrownBy(() -> JsonEdit.compile("children.999999999").set(DOCUMENT, "X"))
        .isInstanceOf(ExpressionFailure.class);
  }

  @Test
  void failsInNoOtherWayWhateverItIsGiven() {
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
        JsonPath.compile(path).read(DOCUMENT.tree());
        JsonEdit.compile(path).set(DOCUMENT, List.of());
        JsonEdit.compileDeletion(path).delete(DOCUMENT);
      } catch (InvalidExpression | ExpressionFailure e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }
}
