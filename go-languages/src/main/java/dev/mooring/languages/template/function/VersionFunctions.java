package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.template.value.VersionValue;
import dev.mooring.languages.version.SemanticVersion;
import dev.mooring.languages.version.VersionConstraint;

/** sprig's functions on semantic versions. */
final class VersionFunctions {
  private VersionFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("semver", a -> new VersionValue(SemanticVersion.parse(a.text(0))), TEXT)
        .add(
            "semverCompare",
            a -> VersionConstraint.parse(a.text(0)).fits(SemanticVersion.parse(a.text(1))),
            TEXT,
            TEXT);
  }
}
