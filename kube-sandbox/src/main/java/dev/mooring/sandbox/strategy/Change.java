package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.fields.ServerSideApply;
import java.util.function.UnaryOperator;

/** What a client wants an object to be. */
public sealed interface Change {
  /** A PUT: the whole object. */
  record Replace(KubeObject body) implements Change {}

  /**
   * A PATCH: computed from what is stored, and computed again if that has changed meanwhile.
   *
   * @param patch from the served object to the wished one; throws {@link
   *     dev.mooring.sandbox.api.status.ApiFailure}
   */
  record Patch(UnaryOperator<KubeObject> patch) implements Change {}

  /**
   * A server-side apply, which makes the object where there is none.
   *
   * @param wanted the fields that the client cares for
   * @param ownership of these fields
   */
  record Apply(KubeObject wanted, ServerSideApply.Force force, Ownership ownership)
      implements Change {}

  /** How the fields are owned that a client applies. */
  enum Ownership {
    /** By what it applies, so that it may change them again. */
    AS_APPLIED,
    /** By what it changes, as if it had sent the whole object. */
    OF_CHANGES
  }
}
