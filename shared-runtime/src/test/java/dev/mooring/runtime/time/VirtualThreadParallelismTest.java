package dev.mooring.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VirtualThreadParallelismTest {
  /**
   * The JDK adds carriers for a thread that waits in a class initializer, but not for the others.
   */
  private static final int WAITING = 200;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadRunsWhileOthersWaitForAClass(boolean adapted) throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=2",
                "-cp",
                System.getProperty("java.class.path"),
                Burst.class.getName(),
                Boolean.toString(adapted))
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process ends").isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process whose threads wait for a class whose initializer waits for one thread more. */
  static final class Burst {
    static final CountDownLatch OPEN = new CountDownLatch(1);

    private Burst() {}

    public static void main(String[] arguments) throws InterruptedException {
      VirtualThreadParallelism.provide();
      if (Boolean.parseBoolean(arguments[0])) {
        VirtualThreadParallelism.adapt(1);
        var scheduler = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        while (scheduler.getParallelism() > Runtime.getRuntime().availableProcessors() + 2) {
          Thread.sleep(10);
        }
      }
      var waiting =
          IntStream.range(0, WAITING).mapToObj(i -> Thread.ofVirtual().start(Slow::load)).toList();
      Thread.ofVirtual().start(OPEN::countDown);
      for (var thread : waiting) {
        thread.join();
      }
    }
  }

  static final class Slow {
    static {
      try {
        Burst.OPEN.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private Slow() {}

    static void load() {}
  }
}
