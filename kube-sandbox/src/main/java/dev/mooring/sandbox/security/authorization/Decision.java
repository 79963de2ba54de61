package dev.mooring.sandbox.security.authorization;

/** Whether something may be done. */
public sealed interface Decision {
  /** For logs and access reviews; may be empty. */
  String reason();

  record Allowed(String reason) implements Decision {}

  /**
   * @param reason what the client reads behind the colon, such as {@code access denied}
   */
  record Denied(String reason) implements Decision {}

  /**
   * Not allowed, unless the next authorizer allows it.
   *
   * @param reason as of {@link Denied}
   */
  record NoOpinion(String reason) implements Decision {}

  default boolean allowed() {
    return this instanceof Allowed;
  }
}
