package dev.mooring.runtime.access;

/** Whether a request may be served. */
public sealed interface Access {
  /** It may. */
  record Granted(Caller caller) implements Access {}

  /** The token is invalid. */
  record Unauthenticated() implements Access {}

  /** The token's owner lacks the permission. */
  record Denied(Caller caller) implements Access {}
}
