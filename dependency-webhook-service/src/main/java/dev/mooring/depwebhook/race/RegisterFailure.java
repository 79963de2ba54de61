package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.race.decide.Refusal;
import java.util.Objects;

/** The register could not be read or written; for a write: it may or may not have happened. */
final class RegisterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  RegisterFailure(Refusal refusal, Throwable cause) {
    super(refusal instanceof Refusal.Unknown(var problem) ? problem : refusal.toString(), cause);
    this.refusal = Objects.requireNonNull(refusal, "refusal");
  }

  Refusal refusal() {
    return refusal;
  }
}
