package dev.mooring.runtime.spring.reload;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.mooring.runtime.time.Scheduler;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reports that files in mounted directories have other contents. The kubelet replaces a mounted
 * ConfigMap by renaming a symbolic link, so contents are compared, not times.
 */
final class ConfigFileWatch implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** As ConfigMaps are limited; what exceeds it is not a configuration. */
  private static final long SIZE_MAX = 1 << 20;

  private static final int FILES_MAX = 1_000;
  private static final int DEPTH_MAX = 3;

  private final List<Path> directories;
  private final Runnable changed;
  private final Scheduler.Scheduled repetition;
  private String last;

  /**
   * @param changed called on a thread of its own
   */
  ConfigFileWatch(List<Path> directories, Scheduler scheduler, Runnable changed) {
    this.directories = List.copyOf(directories);
    this.changed = changed;
    this.last = contents();
    this.repetition = scheduler.every(PERIOD, "config-files", this::compare);
  }

  private void compare() {
    String now = contents();
    if (!now.equals(last)) {
      last = now;
      changed.run();
    }
  }

  private String contents() {
    Hasher hasher = Hashing.sha256().newHasher();
    directories.forEach(directory -> addTo(hasher, directory));
    return hasher.hash().toString();
  }

  private static void addTo(Hasher hasher, Path directory) {
    try (Stream<Path> files = Files.walk(directory, DEPTH_MAX, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : files.filter(Files::isRegularFile).limit(FILES_MAX).sorted().toList()) {
        if (Files.size(file) <= SIZE_MAX) {
          hasher.putUnencodedChars(file.toString()).putBytes(Files.readAllBytes(file));
        }
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // Replaced just now, or gone: another content either way.
      hasher.putUnencodedChars(directory + " cannot be read");
    }
  }

  @Override
  public void close() {
    repetition.cancel();
  }
}
