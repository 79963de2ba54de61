package dev.mooring.depwebhook.endpoint;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the threads of this process do at one moment. */
final class ThreadDump {
  /** Of characters: 100 threads or more. */
  private static final int MAX = 200_000;

  private ThreadDump() {}

  /** Virtual threads too; only those that run Mooring's code. */
  static String text() {
    try {
      Path directory = Files.createTempDirectory("threads");
      Path file = directory.resolve("dump");
      try {
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
        String mooring =
            Stream.of(Files.readString(file).split("\n\n"))
                .filter(thread -> thread.contains("dev.mooring"))
                .collect(Collectors.joining("\n\n"));
        return mooring.substring(0, Math.min(MAX, mooring.length()));
      } finally {
        Files.deleteIfExists(file);
        Files.delete(directory);
      }
    } catch (IOException e) {
      return "no thread dump: " + e;
    }
  }
}
