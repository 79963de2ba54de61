package dev.mooring.languages.gjson;

/** Patterns of {@code *} (any text) and {@code ?} (one character); a backslash escapes either. */
final class WildcardMatch {
  private WildcardMatch() {}

  /** In time proportional to the product of both lengths at worst. */
  static boolean matches(String text, String pattern) {
    int t = 0;
    int p = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
        continue;
      }
      int width = p < pattern.length() ? width(pattern, p, text.charAt(t)) : 0;
      if (width > 0) {
        p += width;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  /** Characters of the pattern that stand for this one; 0 if they do not. */
  private static int width(String pattern, int p, char here) {
    char wanted = pattern.charAt(p);
    if (wanted == '\\' && p + 1 < pattern.length()) {
      return pattern.charAt(p + 1) == here ? 2 : 0;
    }
    return wanted == '?' || wanted == here ? 1 : 0;
  }
}
