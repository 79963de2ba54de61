package dev.mooring.depcontroller.ca;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A CA bundle from a file of PEM certificates, read at each use.
 *
 * @param path empty for none
 */
public record CaBundleFile(String path) {
  private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

  /** A bundle of old and new CA is a few kilobytes. */
  private static final int SIZE_MAX = 512 * 1024;

  /**
   * The bundle as a webhook configuration has it: Base64 of PEM; empty for the API servers' own.
   *
   * @throws IllegalStateException naming the cause, while the bundle is not known
   */
  public String base64() {
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
}
