package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to delete.
 *
 * @param uid precondition; empty for none
 * @param resourceVersion precondition; empty for none
 * @param propagation empty where the client leaves it to the resource
 * @param gracePeriodSeconds seen by admission alone: no resource here ends gracefully
 */
public record DeleteOptions(
    String uid,
    String resourceVersion,
    Optional<Propagation> propagation,
    Optional<Long> gracePeriodSeconds) {
  /** What happens to dependents. */
  public enum Propagation {
    BACKGROUND,
    FOREGROUND,
    ORPHAN;

    String text() {
      return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }
  }

  public static final DeleteOptions NONE =
      new DeleteOptions("", "", Optional.empty(), Optional.empty());

  /**
   * From the body of a DELETE.
   *
   * @throws ApiFailure 422 for an unknown policy
   */
  public static DeleteOptions of(KubeObject body) {
    String chosen = body.text("propagationPolicy");
    Optional<Propagation> legacy = legacy(body.at("orphanDependents"));
    if (!chosen.isEmpty() && legacy.isPresent()) {
      throw ApiFailure.invalidOption(
          "DeleteOptions",
          FieldError.invalid(
              "propagationPolicy",
              chosen,
              "orphanDependents and deletionPropagation cannot be both set"));
    }
    Optional<Propagation> propagation =
        switch (chosen) {
          case "" -> legacy;
          case "Background" -> Optional.of(Propagation.BACKGROUND);
          case "Foreground" -> Optional.of(Propagation.FOREGROUND);
          case "Orphan" -> Optional.of(Propagation.ORPHAN);
          default ->
              throw ApiFailure.invalidOption(
                  "DeleteOptions",
                  FieldError.notSupported(
                      "propagationPolicy",
                      chosen,
                      List.of("Foreground", "Background", "Orphan", "nil")));
        };
    return new DeleteOptions(
        body.text("preconditions", "uid"),
        body.text("preconditions", "resourceVersion"),
        propagation,
        Optional.ofNullable(body.at("gracePeriodSeconds")).map(Long.class::cast));
  }

  /** As admission webhooks see it. */
  Map<String, Object> toTree(boolean dryRun) {
    return Trees.orderedNonEmpty(
        "kind",
        "DeleteOptions",
        "apiVersion",
        "meta.k8s.io/v1",
        "gracePeriodSeconds",
        gracePeriodSeconds.orElse(null),
        "preconditions",
        Trees.orderedNonEmpty("uid", uid, "resourceVersion", resourceVersion),
        "dryRun",
        dryRun ? List.of("All") : List.of(),
        "propagationPolicy",
        propagation.map(Propagation::text).orElse(""));
  }

  private static Optional<Propagation> legacy(@Nullable Object orphanDependents) {
    return orphanDependents instanceof Boolean orphans
        ? Optional.of(orphans ? Propagation.ORPHAN : Propagation.BACKGROUND)
        : Optional.empty();
  }
}
