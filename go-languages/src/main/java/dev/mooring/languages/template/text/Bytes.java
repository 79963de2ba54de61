package dev.mooring.languages.template.text;

import java.nio.charset.StandardCharsets;

/**
 * Texts with one character per UTF-8 byte, for what Go does byte by byte. Half characters become
 * replacement characters on the way back.
 */
public final class Bytes {
  private Bytes() {}

  public static String of(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  public static String text(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
