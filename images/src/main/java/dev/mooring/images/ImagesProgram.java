package dev.mooring.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Builds the image of every program as {@code <target>/<image>.tar}. Arguments: the project's
 * directory, its version, and the directory for results.
 */
public final class ImagesProgram {
  private final Path project;
  private final String version;
  private final Path target;

  private ImagesProgram(Path project, String version, Path target) {
    this.project = project;
    this.version = version;
    this.target = target;
  }

  /** Ends with status 1 and one message if an image cannot be built. */
  public static void main(String[] arguments) throws IOException {
    try {
      new ImagesProgram(Path.of(arguments[0]), arguments[1], Path.of(arguments[2]).toAbsolutePath())
          .build();
    } catch (ImageFailure e) {
      System.err.println("images: " + e.getMessage());
      System.exit(1);
    }
  }

  private void build() throws IOException {
    Path work = target.resolve("work");
    deleteTree(work);
    Path root = work.resolve("root");
    Files.createDirectories(root);
    List<SystemFiles.Package> packages = SystemFiles.unpack(root, work);
    Path javaHome = work.resolve("java");
    JavaRuntime.link(javaHome, work);
    Path scratch = Files.createDirectories(work.resolve("scratch"));
    for (Program program : Program.values()) {
      Application application = Application.layOut(program, project, javaHome, work);
      Path directory = application.directory();
      BillOfMaterials.write(program, project, packages, directory.resolve("sbom.cdx.json"));

      var tar = new ImageTar();
      tar.label("title", "mooring/" + program.image());
      tar.label("description", "Mooring: " + program.image());
      tar.label("version", version);
      tar.label("licenses", "Apache-2.0");
      revision().ifPresent(commit -> tar.label("revision", commit));
      tar.addTree("system", root, "/");
      tar.addScratch(scratch, "/tmp");
      tar.addTree("java", javaHome, "/opt/java");
      tar.add("libraries", directory, "/app", application.libraries());
      tar.add("mooring", directory, "/app", application.own());
      tar.add("cache", directory, "/app", List.of(application.cache()));
      Path file = target.resolve(program.image() + ".tar");
      tar.write(file, "mooring/%s:%s".formatted(program.image(), version), work.resolve("jib"));
      System.out.printf("images: %s, %d MiB%n", file.getFileName(), Files.size(file) >> 20);
    }
  }

  private Optional<String> revision() {
    try {
      return Optional.of(Command.run(target, "git", "rev-parse", "HEAD").strip());
    } catch (ImageFailure e) {
      return Optional.empty(); // an archive of the sources
    }
  }

  private static void deleteTree(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
