package dev.mooring.cli.migrate;

import dev.mooring.cli.ExitCode;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One thing that a take-over changes, or leaves as it is.
 *
 * @param object such as {@code PublishedResource/certificates}
 * @param reason in one word
 * @param message what happens, and what to do
 */
public record Change(Verdict verdict, String object, String reason, String message) {
  /** The worst last. */
  public enum Verdict {
    SAME("same"),
    /** Mooring writes something, or does it in another way. Nothing has to be done. */
    CHANGES("changes"),
    /** The user has to do something first. */
    ACT("to do"),
    /** Mooring does not serve what the Go program serves. */
    REFUSED("refused");

    private final String summary;

    Verdict(String summary) {
      this.summary = summary;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Prints all, the worst last, and returns the exit status. */
  public static int report(OutputOptions output, List<Change> unsorted) {
    List<Change> changes =
        Stream.of(Verdict.values())
            .flatMap(verdict -> unsorted.stream().filter(each -> each.verdict() == verdict))
            .toList();
    output.printRows(changes.stream().map(Change::tree).toList());
    output.printSummary(
        Stream.of(Verdict.values())
            .map(verdict ->
                changes.stream().filter(each -> each.verdict() == verdict).count()
                    + " "
                    + verdict.summary)
            .collect(Collectors.joining(", ")));
    return changes.stream().anyMatch(each -> each.verdict().compareTo(Verdict.ACT) >= 0)
        ? ExitCode.FOUND
        : ExitCode.OK;
  }

  private Map<String, Object> tree() {
    return Trees.ordered(
        "verdict", verdict.text(),
        "object", object,
        "reason", reason,
        "message", message);
  }
}
