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
    return Trees.freezeMap(Trees.mapOrEmpty(shortened(content)));
  }

  private static @Nullable Object shortened(@Nullable Object value) {
    return switch (value) {
      case String text -> text.length() > TEXT_MAX ? PREFIX + Hashes.sha256(text) : text;
      case Map<?, ?> map -> {
        var copy = new LinkedHashMap<String, Object>();
        Trees.mapOrEmpty(map).forEach((key, inner) -> copy.put(key, shortened(inner)));
        yield copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>();
        list.forEach(item -> copy.add(shortened(item)));
        yield copy;
      }
      case null, default -> value;
    };
  }

  /** The state with each digest replaced by the text at its place in {@code content} if it fits. */
  public static Map<String, Object> resolved(
      Map<String, Object> state, Map<String, Object> content) {
    // Most states are in sync and have no digests: they are not copied.
    return state.equals(content) ? state : Trees.mapOrEmpty(lengthened(state, content));
  }

  /** Whether the state is of this content. */
  public static boolean match(Map<String, Object> state, Map<String, Object> content) {
    return resolved(state, content).equals(content);
  }

  private static @Nullable Object lengthened(@Nullable Object state, @Nullable Object content) {
    return switch (state) {
      case String text when text.startsWith(PREFIX) && content instanceof String whole ->
          text.equals(shortened(whole)) ? whole : text;
      case Map<?, ?> map when content instanceof Map<?, ?> whole -> {
        var copy = new LinkedHashMap<String, Object>();
        Trees.mapOrEmpty(map)
            .forEach((key, inner) -> copy.put(key, lengthened(inner, whole.get(key))));
        yield Trees.freezeMap(copy);
      }
      case List<?> list when content instanceof List<?> whole && list.size() == whole.size() -> {
        var copy = new ArrayList<@Nullable Object>();
        for (int i = 0; i < list.size(); i++) {
          copy.add(lengthened(list.get(i), whole.get(i)));
        }
        yield Trees.freeze(copy);
      }
      case null, default -> state;
    };
  }
}
