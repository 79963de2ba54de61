package dev.mooring.sandbox.strategy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.fields.ServerSideApply;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
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
  record Patch(Function<KubeObject, Patched> patch) implements Change {
    /** A change by the server's own code, which is never unreadable. */
    public static Patch of(UnaryOperator<KubeObject> change) {
      return new Patch(current -> new Patched(change.apply(current), Form.JSON, () -> ""));
    }
  }

  /** What Kubernetes reads a patched object from, which decides on the words for its faults. */
  enum Form {
    JSON,
    MAP
  }

  /**
   * An object after a patch.
   *
   * @param text what a complaint about the object quotes
   */
  record Patched(KubeObject object, Form form, Supplier<String> text) {
    /** The same patch with another outcome. Throws {@link ApiFailure} if that is unreadable. */
    public Patched with(UnaryOperator<KubeObject> change) {
      try {
        return new Patched(change.apply(object), form, text);
      } catch (UnreadableObject unreadable) {
        throw refused(unreadable);
      }
    }

    /** 422: the patched object is none of its kind any more. */
    ApiFailure refused(UnreadableObject unreadable) {
      String why =
          switch (form) {
            case JSON -> unreadable.why();
            case MAP -> unreadable.whyFromMap();
          };
      return ApiFailure.invalid("", "", "", List.of(FieldError.invalid("patch", text.get(), why)));
    }
  }

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
