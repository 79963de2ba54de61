package dev.mooring.console;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A bearer token as the value of a cookie: encrypted with a key of this process, so that neither
 * the browser nor the process stores the token itself. A restart ends all sessions. Thread-safe.
 */
final class TokenCookie {
  /** A working day; the token may end before. */
  static final Duration VALID = Duration.ofHours(8);

  /** Browsers accept cookies of 4,096 bytes. */
  static final int TOKEN_MAX = 2_800;

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int TAG_BITS = 128;
  private static final int NONCE_BYTES = 12;

  private final SecretKey key;
  private final InstantSource clock;

  TokenCookie(InstantSource clock) {
    this.clock = clock;
    var bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, "AES");
  }

  /** A value that {@link #open} reads for {@link #VALID}. */
  String seal(String token) {
    byte[] text = token.getBytes(StandardCharsets.UTF_8);
    byte[] plain =
        ByteBuffer.allocate(Long.BYTES + text.length)
            .putLong(clock.instant().plus(VALID).toEpochMilli())
            .put(text)
            .array();
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, key);
      byte[] sealed = cipher.doFinal(plain);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                  .put(cipher.getIV())
                  .put(sealed)
                  .array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a token cannot be encrypted", e);
    }
  }

  /** The token; empty if the value is not of this process, was changed, or is too old. */
  Optional<String> open(String value) {
    try {
      ByteBuffer sealed = ByteBuffer.wrap(Base64.getUrlDecoder().decode(value));
      if (sealed.remaining() < NONCE_BYTES) {
        return Optional.empty();
      }
      byte[] nonce = new byte[NONCE_BYTES];
      sealed.get(nonce);
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
      ByteBuffer plain =
          ByteBuffer.wrap(cipher.doFinal(sealed.array(), sealed.position(), sealed.remaining()));
      Instant end = Instant.ofEpochMilli(plain.getLong());
      return clock.instant().isBefore(end)
          ? Optional.of(StandardCharsets.UTF_8.decode(plain).toString())
          : Optional.empty();
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
