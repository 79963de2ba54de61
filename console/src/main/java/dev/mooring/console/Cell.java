package dev.mooring.console;

import java.util.Optional;

/**
 * One cell of a table.
 *
 * @param link from {@link Link}
 */
public record Cell(String text, Tone tone, Optional<String> link) {
  public static Cell of(String text) {
    return new Cell(text, Tone.NEUTRAL, Optional.empty());
  }

  public static Cell of(long number) {
    return of(Long.toString(number));
  }

  public static Cell of(Tone tone, String text) {
    return new Cell(text, tone, Optional.empty());
  }

  public static Cell link(String text, String link) {
    return new Cell(text, Tone.NEUTRAL, Optional.of(link));
  }
}
