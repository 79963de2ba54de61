package dev.mooring.syncagent.content.decide;

import dev.mooring.languages.Hashes;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Digests in place of long texts in a last-known state, so that the state of an object that servers
 * store fits into one. A digest is compared with a value, and never written to a copy.
 */
public final class ValueDigests {
  /** Characters; a digest has less than half of them. */
  static final int TEXT_MAX = 256;

  private static final String PREFIX = SyncMarks.GROUP + "/sha256:";

  private ValueDigests() {}

  /** With digests in place of all texts above {@value #TEXT_MAX} characters. */
  public static Map<String, Object> abridged(Map<String, Object> content) {
    return withTexts(content, Map.of(), (text, _) -> shortened(text));
  }

  /** The state with each digest replaced by the text at its place in {@code content} if it fits. */
  public static Map<String, Object> resolved(
      Map<String, Object> state, Map<String, Object> content) {
    // Most states are in sync and have no digests: they are not copied.
    return state.equals(content)
        ? state
        : withTexts(
            state,
            content,
            (text, other) ->
                text.startsWith(PREFIX)
                        && other instanceof String whole
                        && text.equals(shortened(whole))
                    ? whole
                    : text);
  }

  /** Whether the state is of this content. */
  public static boolean match(Map<String, Object> state, Map<String, Object> content) {
    return resolved(state, content).equals(content);
  }

  private static String shortened(String text) {
    return text.length() > TEXT_MAX ? PREFIX + Hashes.sha256(text) : text;
  }

  private static Map<String, Object> withTexts(
      Map<String, Object> tree, Map<String, Object> other, Texts texts) {
    return Trees.freezeMap(Trees.mapOrEmpty(replaced(tree, other, texts)));
  }

  /** What stands in place of a text, by what the other tree has there. */
  private interface Texts {
    String replace(String text, @Nullable Object other);
  }

  private static @Nullable Object replaced(
      @Nullable Object value, @Nullable Object other, Texts texts) {
    return switch (value) {
      case String text -> texts.replace(text, other);
      case Map<?, ?> map -> {
        Map<String, Object> others = Trees.mapOrEmpty(other);
        var copy = new LinkedHashMap<String, Object>();
        Trees.mapOrEmpty(map)
            .forEach((key, inner) -> copy.put(key, replaced(inner, others.get(key), texts)));
        yield copy;
      }
      case List<?> list -> {
        List<Object> others = Trees.listOrEmpty(other);
        boolean isPaired = others.size() == list.size();
        var copy = new ArrayList<@Nullable Object>();
        for (int i = 0; i < list.size(); i++) {
          copy.add(replaced(list.get(i), isPaired ? others.get(i) : null, texts));
        }
        yield copy;
      }
      case null, default -> value;
    };
  }
}
