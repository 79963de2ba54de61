package dev.mooring.syncagent.published;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.GoTemplate;
import java.util.Set;

/** Go templates in a PublishedResource. */
final class Templates {
  private Templates() {}

  /**
   * Throws {@link InvalidPublishedResource} naming {@code field}.
   *
   * @param known fields that the template can read
   */
  static GoTemplate compile(String text, Set<String> known, String field) {
    try {
      return GoTemplate.compile(text, known);
    } catch (InvalidTemplate e) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.INVALID_TEMPLATE, field + ": " + e.getMessage());
    }
  }
}
