package dev.mooring.depcontroller.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The PEM certificates that API servers check the webhook's certificate with. */
final class CaBundleFile implements CaSource {
  private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

  /** A bundle of old and new CA is a few kilobytes. */
  private static final int SIZE_MAX = 512 * 1024;

  private final String path;

  /**
   * @param path empty for none
   */
  CaBundleFile(String path) {
    this.path = path;
  }

  /**
   * As it stands in a webhook configuration: Base64; empty if there is no file.
   *
   * @throws IllegalStateException naming the file, if it cannot be read or has no certificate
   */
  @Override
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
