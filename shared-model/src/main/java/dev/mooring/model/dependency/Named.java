package dev.mooring.model.dependency;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A choice of a rule's author, by the word that stands in the rule. */
public interface Named {
  String name();

  /** The word of {@code REQUIRE_PERMISSION} is {@code RequirePermission}. */
  default String text() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** Empty for a word that is none of them. */
  static <E extends Enum<E> & Named> Optional<E> parse(Class<E> choices, String text) {
    return Arrays.stream(choices.getEnumConstants())
        .filter(choice -> choice.text().equals(text))
        .findFirst();
  }

  /** {@code a, b, c}: for messages. */
  static <E extends Enum<E> & Named> String all(Class<E> choices) {
    return Arrays.stream(choices.getEnumConstants())
        .map(Named::text)
        .collect(Collectors.joining(", "));
  }
}
