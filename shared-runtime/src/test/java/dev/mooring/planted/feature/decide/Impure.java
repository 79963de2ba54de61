package dev.mooring.planted.feature.decide;

import java.nio.file.Files;
import java.nio.file.Path;

/** Breaks the rules of decisions: it looks at the disk and remembers. */
public final class Impure {
  private boolean remembered;

  boolean decide(Path file) {
    remembered |= Files.exists(file);
    return remembered;
  }
}
