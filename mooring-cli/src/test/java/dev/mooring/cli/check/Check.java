package dev.mooring.cli.check;

/**
 * One property of dependency protection that can be tried out.
 *
 * @param id short, such as {@code W1}
 * @param claim what holds, in a sentence without a full stop
 * @param trial throws if the property does not hold
 */
public record Check(String id, String claim, Trial trial) {
  /** Tries it out on services that run. */
  @FunctionalInterface
  public interface Trial {
    void run() throws Exception;
  }
}
