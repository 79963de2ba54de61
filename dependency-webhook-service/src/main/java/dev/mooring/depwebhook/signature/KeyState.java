package dev.mooring.depwebhook.signature;

import dev.mooring.runtime.signature.ReviewKeys;
import java.util.Objects;

/** What the webhook knows of the keys that sign the URLs of webhook configurations. */
public sealed interface KeyState {
  /** Not read yet: kcp does not answer. */
  record Pending(String reason) implements KeyState {
    public Pending {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** There is no Secret: the controller does not sign, as the Go program's does not. */
  record Unused() implements KeyState {}

  /** The webhook may not read the Secret, and never could since it started. */
  record Unreadable(String reason) implements KeyState {
    public Unreadable {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** As last read. */
  record Known(ReviewKeys keys) implements KeyState {
    public Known {
      Objects.requireNonNull(keys, "keys");
    }
  }
}
