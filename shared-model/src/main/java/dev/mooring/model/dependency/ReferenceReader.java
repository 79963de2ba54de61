package dev.mooring.model.dependency;

import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/**
 * What one dependency of a rule finds in a dependent. Everything that asks whether an object refers
 * to another goes through here, so that a lookup, an index and a register can never disagree.
 *
 * @param when whether a dependent counts at all; empty if every one does
 * @param whileTerminating whether one counts that is being deleted
 */
public record ReferenceReader(
    ReferenceField field, Optional<DependentCondition> when, WhileTerminating whileTerminating) {

  /** Never throws. The dependent has to be in the version that the rule names. */
  public References read(KubeObject dependent) {
    if (whileTerminating == WhileTerminating.IGNORE && dependent.deleting()) {
      return References.Known.NONE;
    }
    return when.isPresent() && !when.get().counts(dependent)
        ? References.Known.NONE
        : field.in(dependent);
  }
}
