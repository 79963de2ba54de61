package dev.mooring.harness;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the project's programs and manifests lie, relative to the top of a clone.
 *
 * @param root the directory that holds {@code mvnw}
 */
public record ProjectLayout(Path root) {

  /**
   * The clone that this very code was built in, from any directory the program was started in, or,
   * where Maven takes it from its repository, the clone around that directory; {@code MOORING_HOME}
   * names another one.
   */
  public static ProjectLayout find() {
    String home = System.getenv("MOORING_HOME");
    if (home != null && !home.isBlank()) {
      return new ProjectLayout(Path.of(home).toAbsolutePath().normalize());
    }
    try {
      Path here =
          Path.of(ProjectLayout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return above(here)
          .or(() -> above(Path.of("")))
          .orElseThrow(() ->
              new HarnessFailure(
                  "No clone of Mooring was found above "
                      + here
                      + ". Set MOORING_HOME to its directory."));
    } catch (URISyntaxException e) {
      throw new HarnessFailure("The program's own location is not a file: " + e.getMessage(), e);
    }
  }

  private static Optional<ProjectLayout> above(Path start) {
    return Stream.iterate(start.toAbsolutePath(), Objects::nonNull, Path::getParent)
        .filter(at -> Files.exists(at.resolve("mvnw")))
        .filter(at -> Files.isDirectory(at.resolve("kcp-sandbox")))
        .findFirst()
        .map(ProjectLayout::new);
  }

  /** The executable jar of a program; its absence says how to build it. */
  public Path jar(Program program) {
    Path jar = root.resolve(program.module()).resolve("target").resolve(program.jar());
    HarnessFailure.unless(
        Files.isRegularFile(jar),
        "There is no " + root.relativize(jar) + ". Build it: ./mvnw -DskipTests package");
    return jar;
  }

  /** With this JVM's own Java; set to start fast rather than to run long. */
  public List<String> command(Program program, List<String> arguments) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx384m",
                "-jar",
                jar(program).toString()));
    command.addAll(arguments);
    return command;
  }

  /** A manifest that the project ships, such as {@code charts/mooring/kcp/x.yaml}. */
  public Path file(String relative) {
    Path file = root.resolve(relative);
    HarnessFailure.unless(
        Files.isRegularFile(file), "There is no " + relative + " in " + root + ".");
    return file;
  }
}
