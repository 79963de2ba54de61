package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.race.decide.Refusal;
import org.jspecify.annotations.Nullable;

/** The register could not be read or written; for a write: it may or may not have happened. */
final class RegisterFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  RegisterFailure(Refusal refusal) {
    super(refusal.toString());
    this.refusal = refusal;
  }

  RegisterFailure(String problem, @Nullable Throwable cause) {
    super(problem, cause);
    this.refusal = new Refusal.Unknown(problem);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  Refusal refusal() {
    return refusal;
  }
}
