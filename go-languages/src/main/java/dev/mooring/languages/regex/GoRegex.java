package dev.mooring.languages.regex;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression of RE2, as Go's {@code regexp} has it: no backreferences, no lookaround, and
 * time linear in the text. Replacements use Go's {@code $1}, {@code ${1}} and {@code ${name}}.
 */
public final class GoRegex {
  /** Longer patterns are mistakes; a compiled one takes many times its length. */
  public static final int LENGTH_MAX = 4096;

  /** Results grow with the replacement; an object could not hold more. */
  public static final int RESULT_MAX = 4 * 1024 * 1024;

  private final Pattern pattern;

  private GoRegex(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Throws {@link InvalidExpression}. */
  public static GoRegex compile(String text) {
    if (text.length() > LENGTH_MAX) {
      throw new InvalidExpression("the pattern is longer than " + LENGTH_MAX + " characters");
    }
    try {
      return new GoRegex(Pattern.compile(text));
    } catch (PatternSyntaxException e) {
      throw new InvalidExpression("the pattern is not valid (RE2 syntax): " + e.getMessage());
    } catch (StackOverflowError e) {
      throw new InvalidExpression("the pattern is nested too deeply");
    }
  }

  public boolean matches(String text) {
    return pattern.matcher(text).find();
  }

  /** At most {@code max} matches that do not overlap, in order; all of them for a negative max. */
  public List<String> findAll(String text, long max) {
    var found = new ArrayList<String>();
    var scan = new Scan(text);
    while ((max < 0 || found.size() < max) && scan.next()) {
      found.add(text.substring(scan.start, scan.end));
    }
    return found;
  }

  /** The first match; empty if there is none. */
  public String find(String text) {
    List<String> found = findAll(text, 1);
    return found.isEmpty() ? "" : found.getFirst();
  }

  /** What stands between the matches, at most {@code max} pieces; none for 0, all below 0. */
  public List<String> split(String text, long max) {
    if (max == 0) {
      return List.of();
    }
    if (!pattern.pattern().isEmpty() && text.isEmpty()) {
      return List.of("");
    }
    var pieces = new ArrayList<String>();
    var scan = new Scan(text);
    int begin = 0;
    int end = 0;
    while (scan.next()) {
      if (max > 0 && pieces.size() == max - 1) {
        break;
      }
      end = scan.start;
      if (scan.end != 0) {
        pieces.add(text.substring(begin, end));
      }
      begin = scan.end;
    }
    if (end != text.length()) {
      pieces.add(text.substring(begin));
    }
    return pieces;
  }

  /** With every match replaced; throws {@link ExpressionFailure} if the result gets too long. */
  public String replaceAll(String text, String replacement) {
    return replace(text, replacement, Expansion.GROUPS);
  }

  /** As {@link #replaceAll}, where {@code $} has no meaning. */
  public String replaceAllLiterally(String text, String replacement) {
    return replace(text, replacement, Expansion.NONE);
  }

  private enum Expansion {
    NONE,
    GROUPS
  }

  private String replace(String text, String replacement, Expansion expansion) {
    var out = new StringBuilder();
    var scan = new Scan(text);
    int copied = 0;
    while (scan.next()) {
      out.append(text, copied, scan.start);
      switch (expansion) {
        case NONE -> out.append(replacement);
        case GROUPS -> expand(out, replacement, scan.matcher);
      }
      copied = scan.end;
      if (out.length() > RESULT_MAX) {
        throw new ExpressionFailure("the result is longer than " + RESULT_MAX + " characters");
      }
    }
    return out.append(text, copied, text.length()).toString();
  }

  /** Go's rules: the longest name of letters, digits and underscores; {@code $$} is a dollar. */
  private void expand(StringBuilder out, String template, Matcher matcher) {
    int at = 0;
    while (at < template.length()) {
      int dollar = template.indexOf('$', at);
      if (dollar < 0) {
        break;
      }
      out.append(template, at, dollar);
      at = dollar + 1;
      if (template.startsWith("$", at)) {
        out.append('$');
        at++;
        continue;
      }
      boolean braced = template.startsWith("{", at);
      int start = braced ? at + 1 : at;
      int end = start;
      while (end < template.length() && isName(template.charAt(end))) {
        end++;
      }
      if (end == start || braced && !template.startsWith("}", end)) {
        out.append('$');
        continue;
      }
      out.append(group(matcher, template.substring(start, end)));
      at = braced ? end + 1 : end;
    }
    out.append(template, at, template.length());
  }

  private static boolean isName(char here) {
    return Character.isLetterOrDigit(here) || here == '_';
  }

  /** Empty for a group that does not exist or took no part. */
  private String group(Matcher matcher, String name) {
    int number = pattern.namedGroups().getOrDefault(name, Integer.MAX_VALUE);
    if (name.chars().allMatch(c -> c >= '0' && c <= '9')
        && (name.length() == 1 || !name.startsWith("0"))
        && name.length() <= 6) {
      number = Integer.parseInt(name);
    }
    String value = number <= matcher.groupCount() ? matcher.group(number) : null;
    return value == null ? "" : value;
  }

  /** Matches in Go's order: an empty match right behind the one before it does not count. */
  private final class Scan {
    private final String text;
    private final Matcher matcher;
    private int from;
    private int before = -1;
    private int start;
    private int end;

    Scan(String text) {
      this.text = text;
      this.matcher = pattern.matcher(text);
    }

    boolean next() {
      while (from <= text.length() && matcher.find(from)) {
        start = matcher.start();
        end = matcher.end();
        boolean counts = end > start || start != before;
        from = end > start ? end : step(end);
        if (counts) {
          before = end;
          return true;
        }
      }
      return false;
    }

    private int step(int index) {
      return index < text.length() ? text.offsetByCodePoints(index, 1) : index + 1;
    }
  }
}
