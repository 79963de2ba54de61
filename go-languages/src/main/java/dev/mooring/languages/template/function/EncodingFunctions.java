package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import com.google.common.io.BaseEncoding;
import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.Hashes;
import dev.mooring.languages.template.format.GoFormat;
import dev.mooring.languages.template.text.GoEscapes;
import dev.mooring.languages.template.value.TemplateJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.Adler32;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Hashes, base 64 and 32, JSON, Go's escapes, and sprig's one repeatable cipher function. */
final class EncodingFunctions {
  private static final int KEY_LENGTH = 32;
  private static final int BLOCK_LENGTH = 16;

  private EncodingFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("sha3sum", a -> Hashes.sha3(a.text(0)), TEXT)
        .optional("sha3short", EncodingFunctions::sha3short, TEXT, WHOLE)
        .add("shortHash", a -> Hashes.sha1Short(a.text(0)), TEXT)
        .add("sha1sum", a -> Hashes.sha1(a.text(0)), TEXT)
        .add("sha256sum", a -> Hashes.sha256(a.text(0)), TEXT)
        .add("sha512sum", a -> Hashes.sha512(a.text(0)), TEXT)
        .add("adler32sum", a -> adler32(a.text(0)), TEXT)
        .add("b64enc", a -> Base64.getEncoder().encodeToString(bytes(a.text(0))), TEXT)
        .add("b64dec", EncodingFunctions::base64decode, TEXT)
        .add("b32enc", a -> BaseEncoding.base32().encode(bytes(a.text(0))), TEXT)
        .add("b32dec", EncodingFunctions::base32decode, TEXT)
        .add("toJson mustToJson", a -> TemplateJson.escaped(a.any(0)), ANY)
        .add("toRawJson mustToRawJson", a -> TemplateJson.raw(a.any(0)), ANY)
        .add("toPrettyJson mustToPrettyJson", a -> TemplateJson.pretty(a.any(0)), ANY)
        .make("fromJson", a -> fromJson(a, Malformed.NIL), TEXT)
        .make("mustFromJson", a -> fromJson(a, Malformed.FAILS), TEXT)
        .any("html", a -> GoEscapes.html(GoFormat.print(a.all())), ANY)
        .any("js", a -> GoEscapes.script(GoFormat.print(a.all())), ANY)
        .any("urlquery", a -> GoEscapes.query(GoFormat.print(a.all())), ANY)
        .add("decryptAES", a -> decrypted(a), TEXT, TEXT);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Object sha3short(Arguments a) {
    long length = a.count() == 1 ? Hashes.SHORT_LENGTH : a.whole(1);
    if (length <= 0) {
      throw a.failure("invalid length " + length);
    }
    String hash = Hashes.sha3(a.text(0));
    return hash.substring(0, (int) Math.min(length, hash.length()));
  }

  private static String adler32(String text) {
    var sum = new Adler32();
    sum.update(bytes(text));
    return Long.toString(sum.getValue());
  }

  /** sprig gives the error as the text, which is of no use in a name. */
  private static Object base64decode(Arguments a) {
    try {
      String text = a.text(0).replace("\n", "").replace("\r", "");
      if (text.length() % 4 != 0) {
        throw a.failure("the text is not base64");
      }
      return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw a.failure("the text is not base64");
    }
  }

  private static Object base32decode(Arguments a) {
    try {
      if (a.text(0).length() % 8 != 0) {
        throw a.failure("the text is not base32");
      }
      return new String(BaseEncoding.base32().decode(a.text(0)), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw a.failure("the text is not base32");
    }
  }

  private enum Malformed {
    NIL,
    FAILS
  }

  private static Object fromJson(Arguments a, Malformed malformed) {
    try {
      return TemplateJson.read(a.text(0));
    } catch (ExpressionFailure e) {
      return switch (malformed) {
        case NIL -> null;
        case FAILS -> throw a.failure("the text is not JSON");
      };
    }
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
