package dev.mooring.runtime.spring.reload;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.mooring.runtime.time.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  private List<Stamp> stamps;
  private String last;

  /**
   * What differs if a file was written or replaced.
   *
   * @param key of the file, not of its name; null where the file system has none
   */
  private record Stamp(Path file, long size, FileTime modified, @Nullable Object key) {}

  /**
   * @param changed called on a thread of its own
   */
  ConfigFileWatch(List<Path> directories, Scheduler scheduler, Runnable changed) {
    this.directories = List.copyOf(directories);
    this.changed = changed;
    this.stamps = stamps();
    this.last = contents();
    this.repetition = scheduler.every(PERIOD, "config-files", this::compare);
  }

  /** Reads files only if one of them was touched. */
  private void compare() {
    List<Stamp> found = stamps();
    if (found.equals(stamps)) {
      return;
    }
    String now = contents();
    stamps = found;
    if (!now.equals(last)) {
      last = now;
      changed.run();
    }
  }

  private List<Stamp> stamps() {
    return directories.stream().flatMap(directory -> files(directory).stream()).toList();
  }

  private String contents() {
    Hasher hasher = Hashing.sha256().newHasher();
    for (Path directory : directories) {
      for (Stamp stamp : files(directory)) {
        hasher.putUnencodedChars(stamp.file.toString());
        if (stamp.size <= SIZE_MAX) {
          try {
            hasher.putBytes(Files.readAllBytes(stamp.file));
          } catch (IOException e) {
            hasher.putUnencodedChars("cannot be read");
          }
        }
      }
    }
    return hasher.hash().toString();
  }

  /** Sorted; empty if the directory cannot be read, or was replaced just now. */
  private static List<Stamp> files(Path directory) {
    try (Stream<Path> files =
        Files.find(
            directory,
            DEPTH_MAX,
            (_, attributes) -> attributes.isRegularFile(),
            FileVisitOption.FOLLOW_LINKS)) {
      return files.limit(FILES_MAX).sorted().map(ConfigFileWatch::stamp).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  private static Stamp stamp(Path file) {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(
          file, attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    repetition.cancel();
  }
}
