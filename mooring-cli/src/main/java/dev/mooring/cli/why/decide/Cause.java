package dev.mooring.cli.why.decide;

import dev.mooring.cli.why.decide.Remedy.Who;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Why something is as it is.
 *
 * @param check that found it
 */
public record Cause(String check, Finding finding) {
  /**
   * What a check found.
   *
   * @param reason in CamelCase; where a service reports the same, by the service's name for it
   * @param message one sentence
   * @param evidence what the servers say, each in a line
   */
  public record Finding(
      State state, String reason, String message, List<String> evidence, Remedy remedy) {
    public Finding {
      evidence = List.copyOf(evidence);
    }

    Finding shownBy(List<String> lines) {
      return new Finding(state, reason, message, lines, remedy);
    }

    Finding shownBy(String line) {
      return shownBy(List.of(line));
    }

    /** As the answer of a check. */
    Optional<Finding> fixedBy(Remedy needed) {
      return Optional.of(new Finding(state, reason, message, evidence, needed));
    }

    Optional<Finding> fixedBy(Who who, String object, String fix, String command) {
      return fixedBy(new Remedy(who, object, fix, command));
    }
  }

  /** Of the object, or of its deletion; in lower case, as users read it. */
  public enum State {
    synced,
    pending,
    failed,
    refused,
    paused,
    /** It is left alone on purpose. */
    skipped,
    terminating,
    /** Mooring does not sync objects of its type. */
    unsynced,
    absent,
    /** Of a deletion. */
    allowed,
    /** Of a deletion. */
    denied;

    /** Without evidence and remedy yet. */
    Finding of(String reason, String message) {
      return new Finding(this, reason, message, List.of(), Remedy.none(""));
    }

    /** Whether the object is not as its owner wants it. */
    public boolean isTrouble() {
      return switch (this) {
        case synced, unsynced, allowed -> false;
        case pending, failed, refused, paused, skipped, terminating, absent, denied -> true;
      };
    }
  }

  /**
   * One named condition; where it does not hold, it gives the finding.
   *
   * @param name what is as it should be if there is no finding
   */
  record Check<F>(String name, Function<F, Optional<Finding>> finding) {}

  /** The first that does not hold; each may rely on those before it. */
  static <F> Optional<Cause> first(List<Check<F>> checks, F facts) {
    return checks.stream()
        .flatMap(check ->
            check.finding().apply(facts).stream().map(found -> new Cause(check.name(), found)))
        .findFirst();
  }
}
