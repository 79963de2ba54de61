package dev.mooring.runtime.client.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
      byte[] content = Files.readAllBytes(file);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (IOException e) {
      return UNREADABLE;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return digests.sequencedKeySet().toString();
  }
}
