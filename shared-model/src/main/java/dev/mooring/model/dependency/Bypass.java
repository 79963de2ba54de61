package dev.mooring.model.dependency;

/** How the protection of an object can be bypassed. */
public enum Bypass implements Named {
  /** Users who may annotate it; decided by the API server, also without the webhook. */
  ANNOTATION,
  /** Users who may also {@code bypass} the rule in the workspace of the target's provider. */
  REQUIRE_PERMISSION
}
