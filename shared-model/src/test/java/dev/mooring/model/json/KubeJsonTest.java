package dev.mooring.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

  @Test
  void holdsTheShortTextsOfObjectsThatAreAlikeOnce() {
    String text =
        "{\"kind\":\"Parcel\",\"spec\":{\"to\":\"here\",\"note\":\"%s\"}}"
            .formatted("n".repeat(99));

    KubeObject one = KubeJson.readObject(text);
    KubeObject other = KubeJson.readObject(text);

    assertThat(other).isEqualTo(one);
    assertThat(other.at("spec", "to")).isSameAs(one.at("spec", "to"));
    assertThat(other.at("spec", "note")).isNotSameAs(one.at("spec", "note"));
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

  @ParameterizedTest
  @MethodSource("deepest")
  void writesAndFreezesTheDeepestThatItReads(String text) {
    KubeObject read = KubeJson.readObject(text);

    assertThat(KubeJson.writeText(read)).isEqualTo(text);
    assertThat(KubeObject.of(read.tree())).isEqualTo(read);
  }

  @ParameterizedTest
  @MethodSource("deepest")
  void refusesNestingWithoutEnd(String deepest) {
    String deeper = "{\"a\":" + deepest + "}";
    Map<String, Object> tree = Map.of("a", KubeJson.read(deepest));
    String why = "nested deeper than 512 levels";

    assertThatThrownBy(() -> KubeJson.readObject(deeper))
        .isInstanceOf(MalformedJson.class)
        .hasMessage(why);
    assertThatThrownBy(
            () -> KubeJson.readList(stream(deeper), FieldMask.of(List.of(List.of("a"))), _ -> true))
        .isInstanceOf(MalformedJson.class)
        .hasMessage(why);
    assertThatThrownBy(() -> KubeJson.write(tree))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why);
    assertThatThrownBy(() -> KubeObject.of(tree))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(why);
  }

  static Stream<String> deepest() {
    return Stream.of(
        nested("{\"a\":", "1", "}"), nested("{\"a\":", "{}", "}"), nested("[", "[]", "]"));
  }

  /** As deep as a document may be, the whole included. */
  private static String nested(String start, String innermost, String end) {
    int around = Trees.DEPTH_MAX - 1 - (innermost.length() - 1);
    return "{\"a\":" + start.repeat(around) + innermost + end.repeat(around) + "}";
  }

  @Test
  void neverQuotesTheTextInAnError() {
    assertThatThrownBy(() -> KubeJson.readObject("{\"password\":\"hunter2\" \"x\"}"))
        .isInstanceOf(MalformedJson.class)
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void readsAListItemByItemAndKeepsOnlyWhatIsAskedFor() {
    var items = new ArrayList<KubeObject>();
    String list =
        """
        {"apiVersion":"v1","items":[
          {"metadata":{"name":"a","labels":{"x":"y"}},"spec":{"ref":{"name":"n","kind":"K"}}},
          {"metadata":{"name":"b"},"spec":{"disks":[{"name":"d1","size":1},{"size":2}]}},
          "not an object"],
         "kind":"List","metadata":{"resourceVersion":"7","continue":"more"}}\
        """;

    KubeObject head =
        KubeJson.readList(
                stream(list),
                FieldMask.of(
                    List.of(
                        List.of("metadata", "name"),
                        List.of("spec", "ref", "name"),
                        List.of("spec", "disks", "name"))),
                items::add)
            .orElseThrow();

    assertThat(head.text("metadata", "continue")).isEqualTo("more");
    assertThat(head.tree()).doesNotContainKey("items");
    assertThat(items)
        .containsExactly(
            KubeObject.of(
                Map.of(
                    "metadata", Map.of("name", "a"), "spec", Map.of("ref", Map.of("name", "n")))),
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", "b"),
                    "spec",
                    Map.of("disks", List.of(Map.of("name", "d1"), Map.of())))),
            KubeObject.of(Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"kind\":\"Status\",\"status\":\"Success\"}",
        "{\"items\":{}}",
        "{\"items\":[{}",
        "{\"items\":[{}]}{",
        "{\"items\":[{]}",
        "null"
      })
  void refusesAListThatIsNotWhole(String text) {
    assertThatThrownBy(() -> KubeJson.readList(stream(text), FieldMask.ALL, _ -> true))
        .isInstanceOf(MalformedJson.class);
  }

  @Test
  void readsNoFurtherOnceTheReaderHasEnough() {
    String item = "{\"data\":\"" + "x".repeat(2_000) + "\"},";
    var source = new RepeatingStream("{\"items\":[", item, 20_000, "{}]}");
    var seen = new AtomicInteger();

    assertThat(KubeJson.readList(source, FieldMask.ALL, _ -> seen.incrementAndGet() < 3)).isEmpty();

    assertThat(seen).hasValue(3);
    assertThat(source.given()).isLessThan(64 * 1024);
  }

  @Test
  void holdsOneItemOfAListAtATimeHoweverManyThereAre() {
    String item = "{\"metadata\":{\"name\":\"a\"},\"data\":\"" + "x".repeat(2_000) + "\"},";
    int count = 20_000;
    var source = new RepeatingStream("{\"items\":[", item, count, "{}]}");
    var seen = new AtomicInteger();
    var mostAhead = new AtomicLong();

    KubeJson.readList(
        source,
        FieldMask.of(List.of(List.of("metadata", "name"))),
        _ -> {
          long used = (long) seen.incrementAndGet() * item.length();
          mostAhead.accumulateAndGet(source.given() - used, Math::max);
          return true;
        });

    assertThat(seen).hasValue(count + 1);
    assertThat(mostAhead.get()).isLessThan(64 * 1024);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A long document that is made while it is read. */
  private static final class RepeatingStream extends InputStream {
    private final byte[] start;
    private final byte[] item;
    private final byte[] end;
    private final long total;
    private final int count;
    private long given;

    RepeatingStream(String start, String item, int count, String end) {
      this.start = start.getBytes(StandardCharsets.UTF_8);
      this.item = item.getBytes(StandardCharsets.UTF_8);
      this.end = end.getBytes(StandardCharsets.UTF_8);
      this.count = count;
      this.total = this.start.length + (long) count * this.item.length + this.end.length;
    }

    long given() {
      return given;
    }

    @Override
    public int read() {
      if (given == total) {
        return -1;
      }
      long at = given++;
      if (at < start.length) {
        return start[(int) at];
      }
      long inItems = at - start.length;
      long items = (long) count * item.length;
      return inItems < items ? item[(int) (inItems % item.length)] : end[(int) (inItems - items)];
    }
  }

  @Test
  void readsWhatIsAtAPathAndNothingBehindIt() {
    byte[] json =
        "{\"kind\":\"A\",\"skipped\":{\"a\":[1,{}]},\"metadata\":{\"labels\":{\"a\":\"b\"},\"name\":\"n\"} nonsense"
            .getBytes(StandardCharsets.UTF_8);

    assertThat(KubeJson.readAt(json, "metadata", "labels")).isEqualTo(Map.of("a", "b"));
    assertThat(KubeJson.readAt(json, "metadata", "name")).isEqualTo("n");
    assertThat(KubeJson.readAt(json, "metadata", "annotations")).isNull();
    assertThat(KubeJson.readAt(json, "kind", "labels")).isNull();
    assertThatThrownBy(() -> KubeJson.readAt(json, "spec")).isInstanceOf(MalformedJson.class);
  }
}
