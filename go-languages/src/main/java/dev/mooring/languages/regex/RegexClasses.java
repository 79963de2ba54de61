package dev.mooring.languages.regex;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.lang.Character.UnicodeScript;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Character classes that Go knows by more names than RE2/J: categories by their long names, newer
 * scripts, and {@code Any}, {@code ASCII}, {@code Assigned}, {@code Cn} and {@code LC}. Case,
 * spaces, hyphens and underscores of a name do not count.
 */
final class RegexClasses {
  private static final String CATEGORIES =
      """
      C Other, Cc Control, Cc cntrl, Cf Format, Co Private_Use, Cs Surrogate, L Letter,
      Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter, Lt Titlecase_Letter,
      Lu Uppercase_Letter, M Mark, M Combining_Mark, Mc Spacing_Mark, Me Enclosing_Mark,
      Mn Nonspacing_Mark, N Number, Nd Decimal_Number, Nd digit, Nl Letter_Number, No Other_Number,
      P Punctuation, P punct, Pc Connector_Punctuation, Pd Dash_Punctuation, Pe Close_Punctuation,
      Pf Final_Punctuation, Pi Initial_Punctuation, Po Other_Punctuation, Ps Open_Punctuation,
      S Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol, So Other_Symbol,
      Z Separator, Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator
      """;

  /** Names that RE2/J has, by key. */
  private static final Map<String, String> KNOWN = known();

  private static final Map<String, IntPredicate> OTHERS = others();

  private RegexClasses() {}

  /** What stands between the brackets of the class; absent for an unknown name. */
  static Optional<String> named(String name, boolean negated) {
    String key = key(name);
    String known = KNOWN.get(key);
    if (known != null) {
      return Optional.of((negated ? "\\P{" : "\\p{") + known + "}");
    }
    IntPredicate others = OTHERS.get(key);
    return others == null
        ? Optional.empty()
        : Optional.of(ranges(negated ? others.negate() : others));
  }

  private static String key(String name) {
    return name.replaceAll("[ _-]", "").toLowerCase(Locale.ROOT);
  }

  private static Map<String, String> known() {
    var known = new HashMap<String, String>();
    for (String category : CATEGORIES.strip().split(",\\s+")) {
      String[] names = category.split(" ");
      known.put(key(names[0]), names[0]);
      known.put(key(names[1]), names[0]);
    }
    for (UnicodeScript script : UnicodeScript.values()) {
      String name = title(script.name());
      if (isKnown(name)) {
        known.put(key(name), name);
      }
    }
    return Map.copyOf(known);
  }

  /** {@code OLD_ITALIC} becomes {@code Old_Italic}. */
  private static String title(String name) {
    var out = new StringBuilder();
    for (String word : name.split("_")) {
      out.append(out.isEmpty() ? "" : "_")
          .append(word.charAt(0))
          .append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return out.toString();
  }

  private static boolean isKnown(String name) {
    try {
      Pattern.compile("\\p{" + name + "}");
      return true;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private static Map<String, IntPredicate> others() {
    var others = new HashMap<String, IntPredicate>();
    for (UnicodeScript script : UnicodeScript.values()) {
      if (script != UnicodeScript.UNKNOWN) {
        others.put(key(script.name()), code -> UnicodeScript.of(code) == script);
      }
    }
    others.put("any", code -> true);
    others.put("ascii", code -> code < 0x80);
    others.put("assigned", code -> Character.getType(code) != Character.UNASSIGNED);
    others.put("cn", code -> Character.getType(code) == Character.UNASSIGNED);
    others.put("unassigned", code -> Character.getType(code) == Character.UNASSIGNED);
    IntPredicate cased =
        code ->
            switch (Character.getType(code)) {
              case Character.UPPERCASE_LETTER,
                  Character.LOWERCASE_LETTER,
                  Character.TITLECASE_LETTER ->
                  true;
              default -> false;
            };
    others.put("lc", cased);
    others.put("casedletter", cased);
    return Map.copyOf(others);
  }

  private static String ranges(IntPredicate wanted) {
    var out = new StringBuilder();
    int start = -1;
    for (int code = 0; code <= Character.MAX_CODE_POINT + 1; code++) {
      boolean fits = code <= Character.MAX_CODE_POINT && wanted.test(code);
      if (fits && start < 0) {
        start = code;
      } else if (!fits && start >= 0) {
        out.append("\\x{%x}-\\x{%x}".formatted(start, code - 1));
        start = -1;
      }
    }
    return out.toString();
  }
}
