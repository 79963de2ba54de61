package dev.mooring.runtime.client.credentials;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * The files that a connection was made from, and what they held then. To be made before a file is
 * read for its content: what replaces it meanwhile is a change then. Immutable.
 */
public final class CredentialFiles {
  private static final String UNREADABLE = "";

  private final SequencedMap<Path, String> digests;

  /** What has become of them. */
  public sealed interface FileState {
    /** Nothing. */
    record Same() implements FileState {}

    record Changed() implements FileState {}

    /** As when it is just being replaced: says nothing of the others either. */
    record Unreadable(Path file) implements FileState {}
  }

  private CredentialFiles(SequencedMap<Path, String> digests) {
    this.digests = digests;
  }

  static CredentialFiles of(Stream<Path> files) {
    var digests = new LinkedHashMap<Path, String>();
    files.forEach(file -> digests.put(file, digest(file)));
    return new CredentialFiles(digests);
  }

  /** These, and others as they are now. */
  CredentialFiles and(Stream<Path> others) {
    var both = new LinkedHashMap<>(digests);
    both.putAll(of(others).digests);
    return new CredentialFiles(both);
  }

  public FileState compare() {
    FileState state = new FileState.Same();
    for (Map.Entry<Path, String> held : digests.entrySet()) {
      String now = digest(held.getKey());
      if (now.equals(UNREADABLE)) {
        return new FileState.Unreadable(held.getKey());
      }
      if (!now.equals(held.getValue())) {
        state = new FileState.Changed();
      }
    }
    return state;
  }

  private static String digest(Path file) {
    try {
      return Hashing.sha256().hashBytes(Files.readAllBytes(file)).toString();
    } catch (IOException e) {
      return UNREADABLE;
    }
  }

  @Override
  public String toString() {
    return digests.sequencedKeySet().toString();
  }
}
