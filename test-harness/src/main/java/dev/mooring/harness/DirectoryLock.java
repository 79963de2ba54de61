package dev.mooring.harness;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps two runs from writing into one directory; given up when the JVM ends, however it ends. */
public final class DirectoryLock implements AutoCloseable {
  private final Path directory;
  private final FileLock lock;

  private DirectoryLock(Path directory, FileLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /** Makes the directory if need be. */
  public static DirectoryLock of(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new HarnessFailure(
            "Another demo uses " + directory + ". Stop it, or choose another with --directory.");
      }
      return new DirectoryLock(directory, lock);
    } catch (IOException e) {
      throw new HarnessFailure(
          "The directory " + directory + " cannot be used: " + e.getMessage(), e);
    }
  }

  public Path directory() {
    return directory;
  }

  @Override
  public void close() {
    try {
      lock.acquiredBy().close();
    } catch (IOException e) {
      throw new HarnessFailure("The lock of " + directory + " cannot be given up.", e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldInThisVeryJvm) {
      return null;
    }
  }
}
