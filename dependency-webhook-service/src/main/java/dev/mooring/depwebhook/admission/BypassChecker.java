package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.BypassRequest;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Bypasses;
import dev.mooring.depwebhook.bypass.BypassPermissions;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks which protections a caller bypasses by the target's annotation. Thread-safe. */
public final class BypassChecker {
  private final BypassPermissions permissions;
  private final InstantSource clock;

  public BypassChecker(BypassPermissions permissions, InstantSource clock) {
    this.permissions = permissions;
    this.clock = clock;
  }

  Bypasses check(Review.Deletion deletion, List<Protection> protections, Deadline deadline) {
    return switch (BypassRequest.of(deletion.object(), clock.instant())) {
      case BypassRequest.None() -> Bypasses.NONE;
      case BypassRequest.Void(var problem) ->
          new Bypasses(List.of(), List.of("the annotation does not count: " + problem));
      case BypassRequest.Always(), BypassRequest.Until(_) ->
          permitted(deletion, protections, deadline);
    };
  }

  private Bypasses permitted(
      Review.Deletion deletion, List<Protection> protections, Deadline deadline) {
    Map<Permission, PendingRead<Optional<String>>> reviews = begin(deletion, protections);
    var bypassed = new ArrayList<Protection>();
    var refusals = new LinkedHashSet<String>();
    for (Protection protection : protections) {
      Optional<String> refusal =
          Optional.ofNullable(reviews.get(Permission.toBypass(protection)))
              .flatMap(review -> review.result(deadline));
      refusal.ifPresentOrElse(refusals::add, () -> bypassed.add(protection));
    }
    return new Bypasses(bypassed, List.copyOf(refusals));
  }

  /** All at once, and each permission once, however many protections depend on it. */
  private Map<Permission, PendingRead<Optional<String>>> begin(
      Review.Deletion deletion, List<Protection> protections) {
    var reviews = new HashMap<Permission, PendingRead<Optional<String>>>();
    for (Protection protection : protections) {
      if (protection.rule().enforcement().bypass() != Bypass.ANNOTATION) {
        reviews.computeIfAbsent(
            Permission.toBypass(protection),
            _ ->
                PendingRead.begin(
                    "the permission to bypass rule " + protection.rule().qualifiedName(),
                    () -> permissions.refusal(protection, deletion.caller(), deletion.provider())));
      }
    }
    return reviews;
  }

  private record Permission(ObjectKey rule, WorkspacePath provider) {
    static Permission toBypass(Protection protection) {
      return new Permission(protection.rule().key(), protection.dependency().export().path());
    }
  }
}
