package dev.mooring.console;

import java.util.Locale;

/** How a statement is meant; pages show the word, and a colour. */
public enum Tone {
  GOOD("OK"),
  ATTENTION("Attention"),
  BAD("Problem"),
  NEUTRAL("");

  private final String word;

  Tone(String word) {
    this.word = word;
  }

  /** Empty for a tone without one. */
  public String word() {
    return word;
  }

  /** The class of style sheets. */
  public String style() {
    return name().toLowerCase(Locale.ROOT);
  }
}
