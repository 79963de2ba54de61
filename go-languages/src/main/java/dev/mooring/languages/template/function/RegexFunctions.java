package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.regex.GoRegex;
import java.util.ArrayList;

/** sprig's functions on RE2 patterns. A bad pattern is a failure in all of them. */
final class RegexFunctions {
  private static final String SPECIAL = "\\.+*?()|[]{}^$";

  private RegexFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("regexMatch", a -> regex(a).matches(a.text(1)), TEXT, TEXT)
        .alias("regexMatch", "mustRegexMatch")
        .add("regexFind", a -> regex(a).find(a.text(1)), TEXT, TEXT)
        .alias("regexFind", "mustRegexFind")
        .make(
            "regexFindAll",
            a -> new ArrayList<Object>(regex(a).findAll(a.text(1), a.whole(2))),
            TEXT,
            TEXT,
            WHOLE)
        .alias("regexFindAll", "mustRegexFindAll")
        .add("regexReplaceAll", a -> regex(a).replaceAll(a.text(1), a.text(2)), TEXT, TEXT, TEXT)
        .alias("regexReplaceAll", "mustRegexReplaceAll")
        .add(
            "regexReplaceAllLiteral",
            a -> regex(a).replaceAllLiterally(a.text(1), a.text(2)),
            TEXT,
            TEXT,
            TEXT)
        .alias("regexReplaceAllLiteral", "mustRegexReplaceAllLiteral")
        .make(
            "regexSplit",
            a -> new ArrayList<Object>(regex(a).split(a.text(1), a.whole(2))),
            TEXT,
            TEXT,
            WHOLE)
        .alias("regexSplit", "mustRegexSplit")
        .add("regexQuoteMeta", a -> quoted(a.text(0)), TEXT);
  }

  private static GoRegex regex(Arguments a) {
    return GoRegex.compile(a.text(0));
  }

  private static String quoted(String text) {
    var out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (SPECIAL.indexOf(text.charAt(i)) >= 0) {
        out.append('\\');
      }
      out.append(text.charAt(i));
    }
    return out.toString();
  }
}
