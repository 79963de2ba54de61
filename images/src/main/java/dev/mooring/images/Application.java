package dev.mooring.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program's directory {@code /app}: its jars, the JVM's options and the AOT cache, laid out on
 * the build machine.
 *
 * @param directory holds {@code program.jar}, {@code java.options}, {@code program.aot} and, of a
 *     Spring Boot program, {@code lib}
 */
record Application(Path directory) {
  /** Of every file in an image. The AOT cache knows jars by size and time. */
  static final Instant MODIFIED = Instant.ofEpochSecond(1);

  private static final String JAR = "program.jar";
  private static final String OPTIONS = "java.options";
  private static final String CACHE = "program.aot";

  /**
   * @param work gets a directory for the program
   */
  static Application layOut(Program program, Path project, Path javaHome, Path work)
      throws IOException {
    Path jar = program.jar(project);
    if (!Files.isRegularFile(jar)) {
      throw new ImageFailure(
          "%s is missing: build it with ./mvnw -Pimages -pl images -am verify.".formatted(jar));
    }
    Path directory = Files.createDirectories(work.resolve(program.image()));
    var application = new Application(directory);
    if (program == Program.KCP_SANDBOX) {
      Files.copy(jar, directory.resolve(JAR));
    } else {
      Command.run(
          work,
          JavaRuntime.java(javaHome),
          "-Djarmode=tools",
          "-jar",
          jar.toString(),
          "extract",
          "--destination",
          directory.toString());
      Files.move(
          directory.resolve(jar.getFileName()),
          directory.resolve(JAR),
          StandardCopyOption.ATOMIC_MOVE);
    }
    application.setTimes();
    Files.writeString(
        directory.resolve(OPTIONS),
        Files.readString(program.options(project)) + "-XX:AOTCache=/app/" + CACHE + "\n");
    application.createCache(program, project, javaHome, work);
    return application;
  }

  /** The JVM writes the cache when a training start ends. */
  private void createCache(Program program, Path project, Path javaHome, Path work)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(JavaRuntime.java(javaHome));
    command.addAll(Files.readAllLines(program.options(project)));
    Path training = program.trainingOptions(project);
    if (Files.exists(training)) {
      command.addAll(Files.readAllLines(training));
    }
    command.add("-XX:AOTCacheOutput=" + directory.resolve(CACHE));
    String said =
        new Training(project, javaHome, work.resolve("training-" + program.image()))
            .run(program, command, directory.resolve(JAR));
    if (!Files.isRegularFile(directory.resolve(CACHE))) {
      throw new ImageFailure("%s made no AOT cache:%n%s".formatted(program.image(), said));
    }
  }

  private void setTimes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
      }
    }
  }

  /** Jars of others, which change seldom; empty for the sandbox, which is one jar. */
  List<Path> libraries() throws IOException {
    Path libraries = directory.resolve("lib");
    if (!Files.isDirectory(libraries)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(libraries)) {
      return files.filter(file -> !isOwn(file)).sorted().toList();
    }
  }

  /** What changes with each version of Mooring, without the cache. */
  List<Path> own() throws IOException {
    List<Path> libraries = libraries();
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !libraries.contains(file) && !file.equals(cache()))
          .sorted()
          .toList();
    }
  }

  Path cache() {
    return directory.resolve(CACHE);
  }

  private static boolean isOwn(Path jar) {
    String name = jar.getFileName().toString();
    return name.startsWith("shared-") || name.startsWith("go-languages-");
  }
}
