package dev.mooring.acceptance.install;

import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a program's jar is started in place of its image. */
final class Jars {
  private Jars() {}

  /** With this JVM's own Java; told to start fast rather than to run long. */
  static List<String> command(ProjectLayout layout, Program program, List<String> arguments) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx384m",
                "-jar",
                layout.jar(program).toString()));
    command.addAll(arguments);
    return List.copyOf(command);
  }
}
