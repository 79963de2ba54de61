package dev.mooring.runtime.client;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that a connection was made from, and what they held then. Thread-safe. */
final class CredentialFiles {
  private final List<Path> files;
  private final Optional<String> before;

  private CredentialFiles(List<Path> files) {
    this.files = files;
    this.before = fingerprint();
  }

  static CredentialFiles of(Optional<Path> kubeconfig, Config config) {
    return new CredentialFiles(
        Stream.concat(
                kubeconfig.stream(),
                Stream.of(
                        config.getCaCertFile(),
                        config.getClientCertFile(),
                        config.getClientKeyFile())
                    .filter(file -> file != null && !file.isEmpty())
                    .map(Path::of))
            .toList());
  }

  boolean changed() {
    Optional<String> now = fingerprint();
    return now.isPresent() && !now.equals(before);
  }

  /** Empty while one cannot be read, as when it is just being replaced. */
  private Optional<String> fingerprint() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files) {
        byte[] content = Files.readAllBytes(file);
        digest.update((content.length + " ").getBytes(StandardCharsets.UTF_8));
        digest.update(content);
      }
      return Optional.of(HexFormat.of().formatHex(digest.digest()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return files.toString();
  }
}
