package dev.mooring.cli.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Tells the story on a terminal: chapters, numbered steps, each request with its answer, and how
 * long a step took. Used by one thread.
 */
public final class Narrator {
  private static final int ANSWER_LINES_MAX = 12;
  private static final int ANSWER_WIDTH_MAX = 240;

  private final PrintStream out;
  private final Look look;
  private int steps;

  /** Whether the terminal shows colours. */
  public enum Look {
    PLAIN,
    COLOURED
  }

  public Narrator(PrintStream out, Look look) {
    this.out = out;
    this.look = look;
  }

  public void chapter(String title) {
    out.println();
    out.println(styled("1", title));
    out.println("─".repeat(title.length()));
  }

  /**
   * Runs one step; it has passed if the body returns.
   *
   * @throws RuntimeException that the body threw, after the step was marked as failed
   */
  public void step(String title, Runnable body) {
    steps++;
    out.println();
    out.printf("%s %s%n", styled("1;36", String.format("%2d", steps)), title);
    long started = System.nanoTime();
    try {
      body.run();
    } catch (RuntimeException e) {
      out.println("   " + styled("1;31", "✗") + " " + took(started));
      throw e;
    }
    out.println("   " + styled("1;32", "✓") + " " + took(started));
  }

  /** A request about to be made, as one would type it. */
  void request(String where, String command) {
    out.println("   " + styled("2", where + " $") + " " + command);
  }

  /** What came back; long answers are cut. */
  void answer(String text) {
    int shown = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (shown++ == ANSWER_LINES_MAX) {
        out.println("     …");
        return;
      }
      out.println(
          "     "
              + (line.length() > ANSWER_WIDTH_MAX
                  ? line.substring(0, ANSWER_WIDTH_MAX) + "…"
                  : line));
    }
  }

  /** A word between requests. */
  void remark(String text) {
    out.println("   " + text);
  }

  /** How many steps have begun. */
  public int steps() {
    return steps;
  }

  public void line(String text) {
    out.println(text);
  }

  static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }

  private static String took(long startedNanos) {
    return seconds(Duration.ofNanos(System.nanoTime() - startedNanos));
  }

  private String styled(String code, String text) {
    return look == Look.COLOURED ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
