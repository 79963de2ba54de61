package dev.mooring.languages.template;

import static dev.mooring.languages.template.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.SemanticVersion;
import dev.mooring.languages.VersionConstraint;

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
