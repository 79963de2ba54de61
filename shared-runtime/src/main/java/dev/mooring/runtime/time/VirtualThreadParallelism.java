package dev.mooring.runtime.time;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;

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

  /** Without a burst: waiting for a server takes no carrier. */
  private static final int USUAL_MIN = 4;

  private static final int LOOKS_PER_MINUTE = 60;
  private static final long LATE_MILLIS = 500;
  private static final long REST_MILLIS = 1_000;

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

  /**
   * Leaves few carriers at work while virtual threads begin in time for a minute: many wake each
   * other, which takes a seventh of the sync agent's processor time. When one does not begin,
   * because the carriers wait for each other, all are back.
   */
  public static void adapt() {
    adapt(LOOKS_PER_MINUTE);
  }

  /**
   * @param calm so many looks in a row must find that threads begin in time
   */
  static void adapt(int calm) {
    if (String.valueOf(COUNT).equals(System.getProperty(PROPERTY))) {
      Thread.ofPlatform().daemon().name("carriers").start(() -> adaptForever(calm));
    }
  }

  private static void adaptForever(int calm) {
    var scheduler = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    int usual = Math.max(USUAL_MIN, Runtime.getRuntime().availableProcessors());
    try {
      for (int timely = 0; true; Thread.sleep(REST_MILLIS)) {
        timely = beginsInTime() ? Math.min(timely + 1, calm) : 0;
        scheduler.setParallelism(timely < calm ? COUNT : usual);
      }
    } catch (InterruptedException e) {
      scheduler.setParallelism(COUNT);
    }
  }

  private static boolean beginsInTime() throws InterruptedException {
    var begun = new CountDownLatch(1);
    Thread.ofVirtual().start(begun::countDown);
    return begun.await(LATE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
