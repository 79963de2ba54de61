package dev.mooring.runtime.signature;

import com.google.common.hash.HashCode;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import dev.mooring.model.identity.LogicalCluster;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * A key by which the webhook recognizes the URLs of webhook configurations: HMAC-SHA256 over the
 * name of the provider's logical cluster. Thread-safe.
 */
public final class SigningKey {
  /** As long as the hash: a longer key adds nothing (RFC 2104, 3). */
  static final int BYTES = 32;

  private static final int ID_DIGITS = 8;

  /** Keeps a signature from meaning something else, should the key ever sign more. */
  private static final String PURPOSE = "mooring review URL of provider ";

  private final byte[] key;
  private final HashFunction hmac;
  private final String id;

  private SigningKey(byte[] key) {
    this.key = key;
    this.hmac = Hashing.hmacSha256(key);
    this.id = Hashing.sha256().hashBytes(key).toString().substring(0, ID_DIGITS);
  }

  /** A new key of the JDK's strong randomness. */
  public static SigningKey generate() {
    var key = new byte[BYTES];
    new SecureRandom().nextBytes(key);
    return new SigningKey(key);
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
    return new SigningKey(bytes);
  }

  String base64() {
    return Base64.getEncoder().encodeToString(key);
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
    HashCode code = hmac.hashString(PURPOSE + provider.name(), StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(code.asBytes());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SigningKey that && MessageDigest.isEqual(key, that.key);
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
