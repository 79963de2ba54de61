package dev.mooring.runtime.testing;

import java.util.stream.IntStream;

/** What simulations play: all seeds with {@code -Pfull} and outside Maven, a quarter else. */
public final class Seeds {
  private static final int QUARTER = 4;

  private Seeds() {}

  /** Of the seeds from 0 to {@code all}, exclusive. */
  public static IntStream of(int all) {
    boolean full = System.getProperty("tests.excluded", "").isEmpty();
    return IntStream.range(0, all).filter(seed -> full || seed % QUARTER == 0);
  }
}
