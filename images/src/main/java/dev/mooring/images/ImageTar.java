package dev.mooring.images;

import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Writes an image as a tar that {@code docker load} and registry clients read. */
final class ImageTar {
  private static final FilePermissions READABLE = FilePermissions.fromOctalString("644");
  private static final FilePermissions EXECUTABLE = FilePermissions.fromOctalString("755");
  private static final FilePermissions SHARED = FilePermissions.fromOctalString("777");

  private final JibContainerBuilder image = Jib.fromScratch();

  ImageTar() {
    image.setPlatforms(Set.of(new Platform(architecture(), "linux")));
    image.setUser("%1$d:%1$d".formatted(SystemFiles.USER));
    image.setWorkingDirectory(AbsoluteUnixPath.get("/app"));
    image.setEntrypoint("/opt/java/bin/java", "@/app/java.options", "-jar", "/app/program.jar");
    image.setEnvironment(
        Map.of(
            "PATH",
            "/opt/java/bin",
            // Memory follows the container's limit; a service that cannot allocate is better
            // restarted.
            "JAVA_TOOL_OPTIONS",
            "-XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError",
            // One arena for all threads: what compilers have freed is not kept once for each of
            // them.
            "MALLOC_ARENA_MAX",
            "1"));
  }

  private static String architecture() {
    String name = System.getProperty("os.arch");
    return switch (name) {
      case "amd64", "x86_64" -> "amd64";
      case "aarch64", "arm64" -> "arm64";
      default ->
          throw new ImageFailure("Images are built on amd64 and arm64, not on %s.".formatted(name));
    };
  }

  void label(String key, String value) {
    image.addLabel("org.opencontainers.image." + key, value);
  }

  /** Adds every file of a tree under its path. */
  void addTree(String layer, Path root, String target) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      add(layer, root, target, files.filter(Files::isRegularFile).sorted().toList());
    }
  }

  /** Adds nothing if there are no files. */
  void add(String layer, Path root, String target, List<Path> files) {
    if (files.isEmpty()) {
      return;
    }
    var entries = FileEntriesLayer.builder().setName(layer);
    for (Path file : files) {
      entries.addEntry(
          file,
          AbsoluteUnixPath.get(target).resolve(root.relativize(file).toString()),
          Files.isExecutable(file) ? EXECUTABLE : READABLE,
          Application.MODIFIED);
    }
    image.addFileEntriesLayer(entries.build());
  }

  /** Adds an empty directory that every user may write to. */
  void addScratch(Path empty, String target) {
    image.addFileEntriesLayer(
        FileEntriesLayer.builder()
            .setName("scratch")
            .addEntry(empty, AbsoluteUnixPath.get(target), SHARED, Application.MODIFIED)
            .build());
  }

  void write(Path tar, String name, Path caches) throws IOException {
    try {
      image.containerize(
          Containerizer.to(TarImage.at(tar).named(name))
              .setOfflineMode(true)
              .setToolName("mooring")
              .setBaseImageLayersCache(caches.resolve("base"))
              .setApplicationLayersCache(caches.resolve("layers")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageFailure("interrupted");
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new ImageFailure("%s could not be written: %s".formatted(tar, e));
    }
  }
}
