package dev.mooring.depwebhook.signature;

import dev.mooring.runtime.signature.ReviewKeys;

/** What the webhook knows of the keys that sign the URLs of webhook configurations. */
public sealed interface KeyState {
  /** Not read yet: kcp does not answer. */
  record Pending(String reason) implements KeyState {}

  /** There is no Secret: the controller does not sign, as the Go program's does not. */
  record Unused() implements KeyState {}

  /** The webhook may not read the Secret, and never could since it started. */
  record Unreadable(String reason) implements KeyState {}

  /** As last read. */
  record Known(ReviewKeys keys) implements KeyState {}
}
