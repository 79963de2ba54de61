package dev.mooring.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files that only their owner can read, written whole or not at all. A {@link HarnessFailure} names
 * the file that cannot be read or written.
 */
public final class OwnFiles {
  private OwnFiles() {}

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new HarnessFailure("The file " + file + " could not be read: " + e.getMessage(), e);
    }
  }

  /** The directory itself, made with its parents where it is missing. */
  public static Path directory(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new HarnessFailure(
          "The directory " + directory + " could not be made: " + e.getMessage(), e);
    }
  }

  public static void write(Path file, String text) {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.deleteIfExists(draft);
      if (Files.getFileStore(file.toAbsolutePath().getParent())
          .supportsFileAttributeView("posix")) {
        Files.createFile(
            draft,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(draft, text);
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new HarnessFailure("The file " + file + " could not be written: " + e.getMessage(), e);
    }
  }
}
