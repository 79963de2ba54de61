package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Of which kind the parameters of a policy are.
 *
 * @param group empty for core
 */
record ParamKind(String group, String version, String kind) {
  /** Empty if the policy has no parameters. */
  static Optional<ParamKind> of(@Nullable Object tree) {
    if (tree == null) {
      return Optional.empty();
    }
    String apiVersion = Trees.text(tree, "apiVersion");
    int slash = apiVersion.indexOf('/');
    return Optional.of(
        new ParamKind(
            slash < 0 ? "" : apiVersion.substring(0, slash),
            apiVersion.substring(slash + 1),
            Trees.text(tree, "kind")));
  }

  /** As Go prints a kind. */
  @Override
  public String toString() {
    return "%s/%s, Kind=%s".formatted(group, version, kind);
  }
}
