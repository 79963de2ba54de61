package dev.mooring.benchmarks.footprint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The memory limit of a container, for a process without one. */
sealed interface MemoryLimit extends AutoCloseable {
  Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

  /** What the JVM needs to know of the limit; empty if it sees it itself. */
  List<String> javaOptions();

  /** The command, with the limit. */
  List<String> limited(List<String> command);

  /** For the report. */
  String text();

  @Override
  void close();

  /** A control group if this user may make one, else a flag of the JVM's. */
  static MemoryLimit of(String name, long mib) {
    boolean unified = Files.exists(CONTROL_GROUPS.resolve("cgroup.controllers"));
    Path group = CONTROL_GROUPS.resolve(unified ? "" : "memory").resolve("mooring-" + name);
    try {
      Files.createDirectory(group);
      Files.writeString(
          group.resolve(unified ? "memory.max" : "memory.limit_in_bytes"),
          Long.toString(mib << 20));
      return new ControlGroup(group, mib);
    } catch (IOException e) {
      return new Flag(mib);
    }
  }

  record ControlGroup(Path group, long mib) implements MemoryLimit {
    @Override
    public List<String> javaOptions() {
      return List.of();
    }

    @Override
    public List<String> limited(List<String> command) {
      var limited =
          new ArrayList<>(
              List.of(
                  "sh",
                  "-c",
                  "echo $$ > '" + group.resolve("cgroup.procs") + "'; exec \"$@\"",
                  "-"));
      limited.addAll(command);
      return limited;
    }

    @Override
    public String text() {
      return mib + " MiB by a control group";
    }

    @Override
    public void close() {
      try {
        Files.deleteIfExists(group);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The heap is as large as with the limit; nothing limits the process. */
  record Flag(long mib) implements MemoryLimit {
    @Override
    public List<String> javaOptions() {
      return List.of("-XX:MaxRAM=" + mib + "m");
    }

    @Override
    public List<String> limited(List<String> command) {
      return command;
    }

    @Override
    public String text() {
      return mib + " MiB by -XX:MaxRAM";
    }

    @Override
    public void close() {}
  }
}
