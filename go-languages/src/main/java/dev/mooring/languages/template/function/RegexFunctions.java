package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.regex.GoRegex;
import dev.mooring.languages.template.value.VersionValue;
import dev.mooring.languages.version.SemanticVersion;
import dev.mooring.languages.version.VersionConstraint;
import java.util.ArrayList;
import java.util.regex.Pattern;

/** sprig's functions on RE2 patterns, where a bad one is always a failure, and on versions. */
final class RegexFunctions {
  private static final Pattern SPECIAL = Pattern.compile("[\\\\.+*?()|\\[\\]{}^$]");

  private RegexFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("regexMatch mustRegexMatch", a -> regex(a).matches(a.text(1)), TEXT, TEXT)
        .add("regexFind mustRegexFind", a -> regex(a).find(a.text(1)), TEXT, TEXT)
        .make(
            "regexFindAll mustRegexFindAll",
            a -> new ArrayList<Object>(regex(a).findAll(a.text(1), a.whole(2))),
            TEXT,
            TEXT,
            WHOLE)
        .add(
            "regexReplaceAll mustRegexReplaceAll",
            a -> regex(a).replaceAll(a.text(1), a.text(2)),
            TEXT,
            TEXT,
            TEXT)
        .add(
            "regexReplaceAllLiteral mustRegexReplaceAllLiteral",
            a -> regex(a).replaceAllLiterally(a.text(1), a.text(2)),
            TEXT,
            TEXT,
            TEXT)
        .make(
            "regexSplit mustRegexSplit",
            a -> new ArrayList<Object>(regex(a).split(a.text(1), a.whole(2))),
            TEXT,
            TEXT,
            WHOLE)
        .add("regexQuoteMeta", a -> SPECIAL.matcher(a.text(0)).replaceAll("\\\\$0"), TEXT)
        .add("semver", a -> new VersionValue(SemanticVersion.parse(a.text(0))), TEXT)
        .add(
            "semverCompare",
            a -> VersionConstraint.parse(a.text(0)).fits(SemanticVersion.parse(a.text(1))),
            TEXT,
            TEXT);
  }

  private static GoRegex regex(Arguments a) {
    return GoRegex.compile(a.text(0));
  }
}
