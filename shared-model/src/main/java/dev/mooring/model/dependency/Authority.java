package dev.mooring.model.dependency;

import dev.mooring.model.dependency.DependencyRule.Dependency;
import java.util.SortedSet;

/**
 * Whether a dependency of a rule is eligible. One that is not is ignored by both services: no
 * webhook is installed for it, and it blocks no deletion. A failed read never denies.
 */
public sealed interface Authority {
  /** Whether the dependency is enforced. */
  default boolean counts() {
    return !(this instanceof Denied);
  }

  /** The exports allow the dependency. */
  record Granted() implements Authority {}

  /**
   * An export cannot be read, so the dependency counts.
   *
   * @param message what could not be read, and what to do
   */
  record Unknown(String message) implements Authority {}

  /**
   * An export is missing, or does not allow the dependency.
   *
   * @param message the cause, and what to do
   */
  record Denied(Reason reason, String message) implements Authority {}

  /** The texts are reasons of conditions. */
  enum Reason {
    DEPENDENT_EXPORT_NOT_FOUND("DependentExportNotFound"),
    DEPENDENT_NOT_EXPORTED("DependentNotExported"),
    TARGET_EXPORT_NOT_FOUND("TargetExportNotFound"),
    TARGET_NOT_EXPORTED("TargetNotExported"),
    DEPENDENT_NOT_ALLOWED("DependentNotAllowed");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * Whether a rule may name its dependents.
   *
   * @param export the one it names, in its own workspace
   */
  static Authority overDependent(DependencyRule rule, ExportReading export) {
    DependencyRule.Dependent dependent = rule.dependent();
    GroupResource type = GroupResource.of(dependent.type());
    String name = dependent.apiExportName();
    return switch (export) {
      case ExportReading.Unreadable(var why) -> new Unknown(why);
      case ExportReading.Absent() ->
          new Denied(
              Reason.DEPENDENT_EXPORT_NOT_FOUND,
              ("the rule's workspace has no APIExport %s: create it there, or correct"
                      + " spec.dependent.apiExportName")
                  .formatted(name));
      case ExportReading.Found(var facts) when dependent.isCore() ->
          facts.claims().contains(type)
              ? new Granted()
              : new Denied(
                  Reason.DEPENDENT_NOT_EXPORTED,
                  "APIExport " + name + " does not claim " + type + ": add a permission claim");
      case ExportReading.Found(var facts) ->
          facts.exports().contains(type)
              ? new Granted()
              : new Denied(
                  Reason.DEPENDENT_NOT_EXPORTED,
                  ("APIExport %s does not export %s: correct spec.dependent's apiExportName, group or"
                          + " resource")
                      .formatted(name, type));
    };
  }

  /**
   * Whether a rule may protect its targets.
   *
   * @param dependents the export of the rule's dependents
   * @param targets the export that the dependency names, in the target's workspace
   */
  static Authority overTarget(
      DependencyRule rule, Dependency dependency, ExportReading dependents, ExportReading targets) {
    GroupResource type = GroupResource.of(dependency.target());
    return switch (targets) {
      case ExportReading.Unreadable(var why) -> new Unknown(why);
      case ExportReading.Absent() ->
          new Denied(
              Reason.TARGET_EXPORT_NOT_FOUND,
              "workspace %s has no APIExport %s: correct apiExportRef"
                  .formatted(dependency.export().path(), dependency.export().name()));
      case ExportReading.Found(var facts) when !facts.exports().contains(type) ->
          new Denied(
              Reason.TARGET_NOT_EXPORTED,
              "APIExport %s does not export %s: correct apiExportRef, group or resource"
                  .formatted(dependency.export(), type));
      case ExportReading.Found(var facts) ->
          facts
              .allowedDependents()
              .map(allowed -> allowed(rule, dependency, dependents, allowed))
              .orElseGet(Granted::new);
    };
  }

  /** Both at once: the first denial, else the first unknown. */
  static Authority of(
      DependencyRule rule, Dependency dependency, ExportReading dependents, ExportReading targets) {
    Authority over = overDependent(rule, dependents);
    Authority under = overTarget(rule, dependency, dependents, targets);
    if (!over.counts()) {
      return over;
    }
    return under.counts() && over instanceof Unknown ? over : under;
  }

  private static Authority allowed(
      DependencyRule rule,
      Dependency dependency,
      ExportReading dependents,
      SortedSet<String> allowed) {
    if (!(dependents instanceof ExportReading.Found(var own)) || own.path().isEmpty()) {
      return new Unknown(
          ("the path of the rule's own workspace is not known, so it cannot be checked whether %s"
                  + " allows it")
              .formatted(dependency.export()));
    }
    String self = own.path() + ":" + rule.dependent().apiExportName();
    return allowed.contains(self)
        ? new Granted()
        : new Denied(
            Reason.DEPENDENT_NOT_ALLOWED,
            ("APIExport %s does not allow dependents of %s: its provider has to add that to"
                    + " annotation %s")
                .formatted(dependency.export(), self, ExportFacts.ALLOWED_DEPENDENTS));
  }
}
