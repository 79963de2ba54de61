package dev.mooring.sandbox.cel.library;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;

/** {@code find} and {@code findAll}. */
final class RegexFunctions {
  static final List<Overload> ALL =
      List.of(
          Overload.binary(
              "(string) find(string) string",
              (String text, String regex) -> String.join("", find(text, regex, 1))),
          Overload.binary(
              "(string) findAll(string) list(string)",
              (String text, String regex) -> find(text, regex, -1)),
          Overload.ternary("(string) findAll(string, int) list(string)", RegexFunctions::find));

  private RegexFunctions() {}

  /** At most {@code max} matches; all of them for a negative max. */
  private static List<String> find(String text, String regex, long max) {
    var found = new ArrayList<String>();
    var matcher = compile(regex).matcher(text);
    int last = -1;
    while ((max < 0 || found.size() < max) && matcher.find()) {
      // Go skips an empty match that directly follows another match.
      if (matcher.start() == matcher.end() && matcher.start() == last) {
        continue;
      }
      last = matcher.end();
      found.add(matcher.group());
    }
    return found;
  }

  private static Pattern compile(String regex) {
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new FunctionError("Illegal regex: " + e.getMessage());
    }
  }
}
