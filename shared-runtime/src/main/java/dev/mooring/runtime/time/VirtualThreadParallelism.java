package dev.mooring.runtime.time;

/**
 * The platform threads that run virtual threads. A virtual thread that loads a class keeps its
 * carrier while it waits. The JDK has one carrier per processor, so on two processors two such
 * threads can wait for ever for a lock whose holder needs a carrier: with Boot's loader of nested
 * jars, and with the JDK's own, in 3 of 3 tries with 64 threads.
 */
public final class VirtualThreadParallelism {
  /**
   * More than a service's connections, and the most that the JDK itself would add for file reads.
   */
  private static final int COUNT = 256;

  private static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";

  private VirtualThreadParallelism() {}

  /**
   * Provides carriers for all threads of a burst; one that is not needed is never started. Counts
   * only before the process's first virtual thread, so {@code main} begins with it. An option of
   * the command line has precedence.
   */
  public static void provide() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, String.valueOf(COUNT));
    }
  }
}
