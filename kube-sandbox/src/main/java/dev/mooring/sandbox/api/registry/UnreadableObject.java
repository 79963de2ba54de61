package dev.mooring.sandbox.api.registry;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;

/** What a client sent cannot be read as an object of its kind. */
public final class UnreadableObject extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String why;

  /**
   * @param message for the one who sent the object
   * @param why for the one who sent a patch of it
   */
  public UnreadableObject(String message, String why) {
    super(message, null, false, false);
    this.why = why;
  }

  /** An object that fits its kind, but not the fields that the kind has. */
  public static UnreadableObject of(String kind, String version, String why) {
    return new UnreadableObject(
        "%s in version \"%s\" cannot be handled as a %s: %s".formatted(kind, version, kind, why),
        why);
  }

  public String why() {
    return why;
  }

  /** 422: what a patch made of an object is none of its kind. */
  public ApiFailure afterPatch() {
    return ApiFailure.invalid("", "", "", List.of(FieldError.invalidOmitted("patch", why)));
  }
}
