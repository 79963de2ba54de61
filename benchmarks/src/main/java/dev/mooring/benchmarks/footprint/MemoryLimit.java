package dev.mooring.benchmarks.footprint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The memory limit of a container, for a process without one.
 *
 * @param text for the report
 * @param javaOptions what the JVM needs to know of the limit; empty if it sees it itself
 * @param begin of the command that has the limit
 * @param group that is removed in the end; empty if there is none
 */
record MemoryLimit(String text, List<String> javaOptions, List<String> begin, Optional<Path> group)
    implements AutoCloseable {
  private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

  /**
   * A control group if this user may make one, else a flag of the JVM's: then the heap is as large
   * as with the limit, and nothing limits the process.
   */
  static MemoryLimit of(String name, long mib) {
    boolean unified = Files.exists(CONTROL_GROUPS.resolve("cgroup.controllers"));
    Path group = CONTROL_GROUPS.resolve(unified ? "" : "memory").resolve("mooring-" + name);
    try {
      Files.createDirectory(group);
      Files.writeString(
          group.resolve(unified ? "memory.max" : "memory.limit_in_bytes"),
          Long.toString(mib << 20));
      String join = "echo $$ > '" + group.resolve("cgroup.procs") + "'; exec \"$@\"";
      return new MemoryLimit(
          mib + " MiB by a control group",
          List.of(),
          List.of("sh", "-c", join, "-"),
          Optional.of(group));
    } catch (IOException e) {
      return new MemoryLimit(
          mib + " MiB by -XX:MaxRAM",
          List.of("-XX:MaxRAM=" + mib + "m"),
          List.of(),
          Optional.empty());
    }
  }

  /** The command, with the limit. */
  List<String> limited(List<String> command) {
    return Stream.concat(begin.stream(), command.stream()).toList();
  }

  @Override
  public void close() {
    try {
      if (group.isPresent()) {
        Files.deleteIfExists(group.get());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
