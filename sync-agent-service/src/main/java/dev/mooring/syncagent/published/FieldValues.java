package dev.mooring.syncagent.published;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Templates and enumerations of a PublishedResource; {@code KEEP_LOCAL} is {@code KeepLocal}. */
final class FieldValues {
  private FieldValues() {}

  /**
   * Throws {@link InvalidPublishedResource} naming {@code field}.
   *
   * @param known fields that the template can read
   */
  static GoTemplate template(String text, Set<String> known, String field) {
    try {
      return GoTemplate.compile(text, known);
    } catch (InvalidTemplate e) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.INVALID_TEMPLATE, field + ": " + e.getMessage());
    }
  }

  /**
   * As {@link #read}, at a path of the spec; empty where there is nothing.
   *
   * @param spec of the PublishedResource
   */
  static <E extends Enum<E>> Optional<E> find(
      Class<E> type, @Nullable Object spec, String... path) {
    String text = Trees.text(spec, path);
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(read(type, text, "spec." + String.join(".", path) + ": unknown value "));
  }

  /**
   * Throws {@link InvalidPublishedResource} for a word that the enumeration does not have.
   *
   * @param problem names the field, and begins the message
   */
  static <E extends Enum<E>> E read(Class<E> type, String text, String problem) {
    List<E> values = List.of(type.getEnumConstants());
    return values.stream()
        .filter(value -> word(value).equals(text))
        .findFirst()
        .orElseThrow(() -> {
          String others =
              values.stream()
                  .limit(values.size() - 1L)
                  .map(FieldValues::word)
                  .collect(Collectors.joining(", "));
          return InvalidPublishedResource.spec(
              "%s\"%s\"; use %s or %s".formatted(problem, text, others, word(values.getLast())));
        });
  }

  static String word(Enum<?> value) {
    return Stream.of(value.name().split("_"))
        .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
