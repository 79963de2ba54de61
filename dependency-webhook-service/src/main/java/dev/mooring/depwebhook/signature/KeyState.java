package dev.mooring.depwebhook.signature;

import dev.mooring.runtime.signature.ReviewKeys;
import java.util.Objects;

/** What the webhook knows of the keys that sign the URLs of webhook configurations. */
public sealed interface KeyState {
  /** Not read yet, as kcp does not answer. */
  record Awaited(String reason) implements KeyState {
    public Awaited {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** There is no Secret: no controller signs, as beside the Go program's. */
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
