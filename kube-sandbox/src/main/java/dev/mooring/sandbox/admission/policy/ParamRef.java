package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which parameters a binding uses.
 *
 * @param name empty if they are selected
 * @param selector empty if there is a name
 * @param namespace empty for that of the write
 */
record ParamRef(
    String name, Optional<LabelSelector> selector, String namespace, NotFound notFound) {
  /** What is done if there are none. */
  enum NotFound {
    ALLOW,
    DENY
  }

  /** Empty if the binding names none. */
  static Optional<ParamRef> of(@Nullable Object tree) {
    return tree == null
        ? Optional.empty()
        : Optional.of(
            new ParamRef(
                Trees.text(tree, "name"),
                Optional.ofNullable(Trees.at(tree, "selector")).map(LabelSelector::of),
                Trees.text(tree, "namespace"),
                Trees.text(tree, "parameterNotFoundAction").equals("Deny")
                    ? NotFound.DENY
                    : NotFound.ALLOW));
  }
}
