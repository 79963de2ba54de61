package dev.mooring.sandbox.strategy;

import java.util.random.RandomGenerator;

/**
 * Generates names from {@code generateName}, with the alphabet of Kubernetes: no vowels, so no
 * words.
 *
 * @param random used by many threads
 */
public record NameGenerator(RandomGenerator random) {
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final int SUFFIX = 5;
  // 63 minus the suffix, as Kubernetes has it.
  private static final int BASE_MAX = 58;

  /** The base, cut to fit, and five random characters. */
  public String generate(String base) {
    return (base.length() > BASE_MAX ? base.substring(0, BASE_MAX) : base) + suffix(SUFFIX);
  }

  public String suffix(int length) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
