package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.admission.decide.Verdict.Allow;
import dev.mooring.depwebhook.admission.decide.Verdict.Deny;
import dev.mooring.depwebhook.admission.decide.Verdict.Ground;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import dev.mooring.depwebhook.admission.decide.Verdict.Unready;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.lookup.decide.Lookup.Complete;
import dev.mooring.depwebhook.lookup.decide.Lookup.Incomplete;
import dev.mooring.model.dependency.Target;

/** Decides whether a target may be deleted: what is not known to be free is refused. */
public final class DeletionPolicy {
  /** What clients of the Go program know; they retry on it. */
  public static final Verdict RULES_NOT_LOADED =
      new Unready(Missing.RULES, "dependency webhook not yet initialized, retry later");

  private DeletionPolicy() {}

  public static Verdict judge(Bypass bypass, Target target, Lookup lookup) {
    if (bypass == Bypass.REQUESTED) {
      return new Allow(Ground.SKIP_PROTECTION);
    }
    return switch (lookup) {
      case Incomplete(var missing) -> new Unready(Missing.REFERRERS, missing);
      case Complete(var blockers) when blockers.isEmpty() -> new Allow(Ground.NO_REFERRERS);
      case Complete(var blockers) -> new Deny(blockers.denial(target));
    };
  }
}
