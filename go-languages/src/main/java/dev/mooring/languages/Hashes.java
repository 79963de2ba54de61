package dev.mooring.languages;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hashes that stand in names and labels, over UTF-8 bytes, in lower-case hex. */
public final class Hashes {
  /** Characters of a short hash: enough against accidents, short enough to leave room in names. */
  public static final int SHORT_LENGTH = 20;

  private Hashes() {}

  /** 40 characters. */
  public static String sha1(String text) {
    return hex("SHA-1", text);
  }

  /** The first {@value #SHORT_LENGTH} characters of {@link #sha1}. */
  public static String sha1Short(String text) {
    return sha1(text).substring(0, SHORT_LENGTH);
  }

  /** 64 characters. */
  public static String sha256(String text) {
    return hex("SHA-256", text);
  }

  /** 128 characters. */
  public static String sha512(String text) {
    return hex("SHA-512", text);
  }

  /** SHA3-256, 64 characters. */
  public static String sha3(String text) {
    return hex("SHA3-256", text);
  }

  private static String hex(String algorithm, String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }
}
