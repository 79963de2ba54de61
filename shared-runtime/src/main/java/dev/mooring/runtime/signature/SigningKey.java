package dev.mooring.runtime.signature;

import dev.mooring.model.identity.LogicalCluster;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key by which the webhook recognizes the URLs of webhook configurations: HMAC-SHA256 over the
 * name of the provider's logical cluster. Thread-safe.
 */
public final class SigningKey {
  /** As long as the hash: a longer key adds nothing (RFC 2104, 3). */
  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int ID_DIGITS = 8;

  /** Keeps a signature from meaning something else, should the key ever sign more. */
  private static final String PURPOSE = "mooring review URL of provider ";

  private final SecretKey key;
  private final String id;

  private SigningKey(SecretKey key) {
    this.key = key;
    this.id = HexFormat.of().formatHex(sha256(key.getEncoded())).substring(0, ID_DIGITS);
  }

  /** A new key of the JDK's strong randomness. */
  public static SigningKey generate() {
    try {
      KeyGenerator generator = KeyGenerator.getInstance(ALGORITHM);
      generator.init(BYTES * Byte.SIZE);
      return new SigningKey(generator.generateKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is not available", e);
    }
  }

  /**
   * @throws IllegalArgumentException if it is not {@value #BYTES} bytes in Base64; never quotes it
   */
  static SigningKey read(String base64) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // The decoder's message may quote a character of the key.
      throw new IllegalArgumentException("a key is not Base64");
    }
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a key has not " + BYTES + " bytes");
    }
    return new SigningKey(new SecretKeySpec(bytes, ALGORITHM));
  }

  String base64() {
    return Base64.getEncoder().encodeToString(key.getEncoded());
  }

  /** Of hexadecimal digits; says nothing about the key but which one it is. */
  public String id() {
    return id;
  }

  /**
   * The path segment of a webhook URL: {@code <provider>.<key id>.<signature>}. The dot is in no
   * logical cluster's name, so a webhook that knows no signatures takes the segment for no
   * provider, and judges by the rules of all.
   */
  public String segment(LogicalCluster provider) {
    return provider.name() + "." + id + "." + signature(provider);
  }

  /** Takes the same time for each difference. */
  boolean signed(LogicalCluster provider, String signature) {
    return MessageDigest.isEqual(
        signature(provider).getBytes(StandardCharsets.US_ASCII),
        signature.getBytes(StandardCharsets.UTF_8));
  }

  private String signature(LogicalCluster provider) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] code = mac.doFinal((PURPOSE + provider.name()).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(code);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is not available", e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SigningKey that
        && MessageDigest.isEqual(key.getEncoded(), that.key.getEncoded());
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** Never the key. */
  @Override
  public String toString() {
    return "key " + id;
  }
}
