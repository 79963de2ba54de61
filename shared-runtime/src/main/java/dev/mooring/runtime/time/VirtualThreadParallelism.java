package dev.mooring.runtime.time;

/**
 * The platform threads that run virtual threads. A virtual thread that loads or initializes a class
 * keeps its carrier while it waits. The JDK has one carrier per processor: on two processors two
 * such threads can wait for a lock whose holder needs a carrier to go on, and no virtual thread of
 * the process runs again. So it is with Boot's loader of nested jars and with the JDK's own: 64
 * threads that load the webhook's libraries from files stand still with two carriers, 3 times of 3.
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
