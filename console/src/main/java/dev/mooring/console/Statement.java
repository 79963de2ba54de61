package dev.mooring.console;

import java.util.Collection;
import java.util.List;

/**
 * One sentence.
 *
 * @param details one line each
 */
public record Statement(Tone tone, String text, List<String> details) {
  public static Statement of(Tone tone, String text) {
    return new Statement(tone, text, List.of());
  }

  /**
   * @param rights a sentence each, as readiness and status say it
   */
  public static List<Statement> missing(Collection<String> rights) {
    return rights.stream().map(right -> of(Tone.ATTENTION, "Missing: " + right)).toList();
  }
}
