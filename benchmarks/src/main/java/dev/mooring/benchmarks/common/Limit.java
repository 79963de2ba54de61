package dev.mooring.benchmarks.common;

import java.util.OptionalDouble;

/**
 * What a figure of Mooring's may be at most.
 *
 * @param why where the limit comes from, in a few words
 */
public record Limit(Most most, String why) {
  interface Most {
    /** Empty where the figure that it depends on was not measured. */
    OptionalDouble of(String figure, Figures ours, Figures theirs);
  }

  public static Limit atMost(double most) {
    return atMost(most, "asked for");
  }

  public static Limit atMost(double most, String why) {
    return new Limit((_, _, _) -> OptionalDouble.of(most), why);
  }

  /** So many times another figure, and so much more. */
  public static Limit over(String other, double times, double plus, String why) {
    return new Limit((_, ours, _) -> scaled(ours.get(other), times, plus), why);
  }

  /** A share of the competitor's same figure. */
  public static Limit ofCompetitor(double share, String why) {
    return new Limit((figure, _, theirs) -> scaled(theirs.get(figure), share, 0), why);
  }

  private static OptionalDouble scaled(OptionalDouble value, double times, double plus) {
    return value.isPresent()
        ? OptionalDouble.of(value.getAsDouble() * times + plus)
        : OptionalDouble.empty();
  }
}
