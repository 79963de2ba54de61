package dev.mooring.cli.lint;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.crd.CustomResourceDefinitions;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What an API server refuses of a CustomResourceDefinition. */
final class CrdErrors {
  private static final ResourceDefinition CRDS =
      CustomResourceDefinitions.definition(Set.of(), () -> "").build();

  private CrdErrors() {}

  /** With the fields that kubectl refuses and others drop. */
  static List<FieldError> of(KubeObject crd) {
    if (!crd.apiVersion().equals(CRDS.type().apiVersion())) {
      return List.of(
          new FieldError("", "apiVersion", "not served; use " + CRDS.type().apiVersion()));
    }
    var context =
        new WriteContext(
            UserInfo.SYSTEM,
            LogicalCluster.NONE,
            "",
            WriteContext.Effect.DRY_RUN,
            WriteContext.FieldValidation.WARN,
            "lint");
    try {
      KubeObject decoded = CRDS.decoder().decode(crd, context);
      ResourceStrategy rules = CRDS.strategy();
      KubeObject created = rules.prepareForCreate(rules.applyDefaults(decoded), context);
      List<String> unknown = List.copyOf(context.warnings());
      return Stream.concat(
              unknown.stream().map(CrdErrors::unknownField),
              rules.validateCreate(created, context).stream()
                  // The status follows from the versions.
                  .filter(error -> !error.field().startsWith("status"))
                  .map(CrdErrors::withoutTree))
          .toList();
    } catch (UnreadableObject e) {
      // Such as "spec.scope must be a string".
      String[] words = e.why().split(" ", 2);
      return List.of(new FieldError("", words[0], words[1]));
    }
  }

  private static FieldError unknownField(String warning) {
    return new FieldError(
        "",
        warning.replaceAll("unknown field \"(.*)\"", "$1"),
        "unknown field, which kubectl refuses and others drop; correct or remove it");
  }

  /** An API server shows the whole value, such as a list of keys. */
  private static FieldError withoutTree(FieldError error) {
    return new FieldError(
        error.reason(),
        error.field(),
        error.message().replaceFirst("(?s)^Invalid value: ([\\[{].*[]}]: |(?=must ))", ""));
  }

  /** Where a field stands in a file: errors name it where an older version of the API had it. */
  static String inFile(String field) {
    return field
        .replaceFirst("^spec\\.validation\\.", "spec.versions[0].schema.")
        .replaceFirst(
            "^spec\\.(subresources|additionalPrinterColumns|selectableFields)",
            "spec.versions[0].$1");
  }
}
