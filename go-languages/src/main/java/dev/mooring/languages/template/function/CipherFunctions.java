package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** sprig's one cipher function that gives the same result every time. */
final class CipherFunctions {
  private static final int KEY_LENGTH = 32;
  private static final int BLOCK_LENGTH = 16;

  private CipherFunctions() {}

  static void register(FunctionTable table) {
    table.add("decryptAES", a -> decrypted(a), TEXT, TEXT);
  }

  /** AES-256 in CBC mode; the first block is the initialization vector. */
  private static String decrypted(Arguments a) {
    if (a.text(1).isEmpty()) {
      return "";
    }
    byte[] key = Arrays.copyOf(a.text(0).getBytes(StandardCharsets.UTF_8), KEY_LENGTH);
    try {
      byte[] text = Base64.getDecoder().decode(a.text(1).replaceAll("[\r\n]", ""));
      if (text.length <= BLOCK_LENGTH || text.length % BLOCK_LENGTH != 0) {
        throw a.failure("the text is not a whole number of blocks");
      }
      Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(key, "AES"),
          new IvParameterSpec(text, 0, BLOCK_LENGTH));
      byte[] plain = cipher.doFinal(text, BLOCK_LENGTH, text.length - BLOCK_LENGTH);
      int padding = plain[plain.length - 1] & 0xff;
      if (padding > plain.length) {
        throw a.failure("the password is not the one that the text was encrypted with");
      }
      return new String(plain, 0, plain.length - padding, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw a.failure("the text is not base64");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES", e);
    }
  }
}
