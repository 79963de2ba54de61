package dev.mooring.depcontroller.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A CA bundle from a file of PEM certificates, read at each use. */
final class CaBundle {
  private static final Logger LOG = LoggerFactory.getLogger(CaBundle.class);
  private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

  /** A bundle of old and new CA is a few kilobytes. */
  private static final int SIZE_MAX = 512 * 1024;

  private final String path;
  private String last = "";

  /**
   * @param path empty for none
   */
  CaBundle(String path) {
    this.path = path;
    hasChanged();
  }

  /**
   * The bundle as a webhook configuration has it: Base64 of PEM; empty for the API servers' own.
   *
   * @throws IllegalStateException naming the cause, while the bundle is not known
   */
  String base64() {
    if (path.isEmpty()) {
      return "";
    }
    byte[] pem;
    try {
      pem = Files.readAllBytes(Path.of(path));
    } catch (IOException e) {
      throw new IllegalStateException("the CA bundle " + path + " cannot be read", e);
    }
    if (pem.length > SIZE_MAX
        || !new String(pem, StandardCharsets.US_ASCII).contains(CERTIFICATE)) {
      throw new IllegalStateException("the CA bundle " + path + " holds no PEM certificate");
    }
    return Base64.getEncoder().encodeToString(pem);
  }

  /** Whether it is another one than at the last call; not while it cannot be read. */
  boolean hasChanged() {
    try {
      String before = last;
      last = base64();
      return !last.equals(before);
    } catch (IllegalStateException e) {
      LOG.warn("{}; webhook configurations are not written until it can", e.getMessage());
      return false;
    }
  }
}
