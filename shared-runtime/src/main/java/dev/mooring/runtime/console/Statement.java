package dev.mooring.runtime.console;

import java.util.List;

/**
 * One sentence.
 *
 * @param details one line each
 */
public record Statement(Tone tone, String text, List<String> details) {
  public Statement {
    details = List.copyOf(details);
  }

  public static Statement of(Tone tone, String text) {
    return new Statement(tone, text, List.of());
  }
}
