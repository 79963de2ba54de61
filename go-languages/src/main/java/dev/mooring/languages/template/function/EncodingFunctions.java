package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.Hashes;
import dev.mooring.languages.template.format.GoFormat;
import dev.mooring.languages.template.text.GoEscapes;
import dev.mooring.languages.template.value.TemplateJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.Adler32;

/** Hashes, base 64 and 32, JSON, and Go's escapes. */
final class EncodingFunctions {
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

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
        .add("b32enc", a -> base32(bytes(a.text(0))), TEXT)
        .add("b32dec", EncodingFunctions::base32decode, TEXT)
        .add("toJson", a -> TemplateJson.escaped(a.any(0)), ANY)
        .alias("toJson", "mustToJson")
        .add("toRawJson", a -> TemplateJson.raw(a.any(0)), ANY)
        .alias("toRawJson", "mustToRawJson")
        .add("toPrettyJson", a -> TemplateJson.pretty(a.any(0)), ANY)
        .alias("toPrettyJson", "mustToPrettyJson")
        .make("fromJson", a -> fromJson(a, Malformed.NIL), TEXT)
        .make("mustFromJson", a -> fromJson(a, Malformed.FAILS), TEXT)
        .any("html", a -> GoEscapes.html(GoFormat.print(a.all())), ANY)
        .any("js", a -> GoEscapes.script(GoFormat.print(a.all())), ANY)
        .any("urlquery", a -> GoEscapes.query(GoFormat.print(a.all())), ANY);
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

  private static String base32(byte[] bytes) {
    var out = new StringBuilder();
    for (int i = 0; i < bytes.length * 8; i += 5) {
      int value = 0;
      for (int bit = i; bit < i + 5; bit++) {
        int set = bit < bytes.length * 8 ? bytes[bit / 8] >> 7 - bit % 8 & 1 : 0;
        value = value << 1 | set;
      }
      out.append(BASE32.charAt(value));
    }
    while (out.length() % 8 != 0) {
      out.append('=');
    }
    return out.toString();
  }

  private static Object base32decode(Arguments a) {
    String text = a.text(0).replaceAll("=+$", "");
    byte[] bytes = new byte[text.length() * 5 / 8];
    for (int i = 0; i < text.length(); i++) {
      int value = BASE32.indexOf(text.charAt(i));
      if (value < 0 || a.text(0).length() % 8 != 0) {
        throw a.failure("the text is not base32");
      }
      for (int bit = 0; bit < 5; bit++) {
        int position = i * 5 + bit;
        if ((value >> 4 - bit & 1) == 1 && position / 8 < bytes.length) {
          bytes[position / 8] |= (byte) (0x80 >> position % 8);
        }
      }
    }
    return new String(bytes, StandardCharsets.UTF_8);
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
}
