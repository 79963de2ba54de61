package dev.mooring.sandbox.cel.library;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;

/** {@code find} and {@code findAll}. */
final class RegexFunctions {
  static final List<Overload> ALL =
      List.of(
          Overload.member(
              "find",
              "string_find_string",
              Kind.STRING,
              Kind.STRING,
              SimpleType.STRING,
              (text, regex) -> {
                List<String> found = find(text, regex, 1);
                return found.isEmpty() ? "" : found.getFirst();
              }),
          Overload.member(
              "findAll",
              "string_find_all_string",
              Kind.STRING,
              Kind.STRING,
              ListType.create(SimpleType.STRING),
              (text, regex) -> find(text, regex, -1)),
          Overload.memberOf(
              "findAll",
              "string_find_all_string_int",
              List.of(Kind.STRING, Kind.STRING, Kind.INT),
              ListType.create(SimpleType.STRING),
              arguments ->
                  find((String) arguments[0], (String) arguments[1], (long) arguments[2])));

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
