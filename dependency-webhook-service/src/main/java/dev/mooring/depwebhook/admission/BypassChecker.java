package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.BypassRequest;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Bypasses;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PermissionReviews;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.access.PermissionReviewer;
import dev.mooring.runtime.client.KubeClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks which protections a caller bypasses by the target's annotation. The workspace of the
 * target's provider says whether the caller may {@code bypass} a rule there: the rule protects that
 * provider's objects, so that provider grants the permission. Thread-safe.
 *
 * @param providers the workspace that a protection's target is exported from
 */
public record BypassChecker(
    Function<MatchedRule, KubeClient> providers,
    Workspaces<KubeClient> clusters,
    InstantSource clock) {
  private static final GroupResource RULES = GroupResource.of(DependencyRule.TYPE);

  Bypasses findBypasses(
      Review.Deletion deletion, List<MatchedRule> protections, Deadline deadline) {
    return switch (BypassRequest.of(deletion.object(), clock.instant())) {
      case BypassRequest.None() -> Bypasses.NONE;
      case BypassRequest.Void(var problem) ->
          new Bypasses(List.of(), List.of("the annotation does not count: " + problem));
      case BypassRequest.Always(), BypassRequest.Until(_) ->
          permitted(deletion, protections, deadline);
    };
  }

  private Bypasses permitted(
      Review.Deletion deletion, List<MatchedRule> protections, Deadline deadline) {
    var reviews = new PermissionReviews<Permission>(deadline);
    if (!deletion.caller().username().isEmpty()) {
      protections.stream()
          .filter(BypassChecker::needsPermission)
          .forEach(protection -> begin(reviews, protection, deletion));
    }
    var bypassed = new ArrayList<MatchedRule>();
    var refusals = new LinkedHashSet<String>();
    for (MatchedRule protection : protections) {
      refusal(protection, deletion.caller(), reviews)
          .ifPresentOrElse(refusals::add, () -> bypassed.add(protection));
    }
    return new Bypasses(bypassed, List.copyOf(refusals));
  }

  private static boolean needsPermission(MatchedRule protection) {
    return protection.rule().enforcement().bypass() != Bypass.ANNOTATION;
  }

  private void begin(
      PermissionReviews<Permission> reviews, MatchedRule protection, Review.Deletion deletion) {
    var permission = Permission.toBypass(protection);
    reviews.begin(
        permission,
        "bypass " + permission,
        () ->
            PermissionReviewer.permits(
                deletion.provider().map(clusters::in).orElseGet(() -> providers.apply(protection)),
                deletion.caller(),
                "bypass",
                RULES,
                permission.rule().name()));
  }

  /** Empty if the caller may bypass the rule, else why not. */
  private static Optional<String> refusal(
      MatchedRule protection, Caller caller, PermissionReviews<Permission> reviews) {
    if (!needsPermission(protection)) {
      return Optional.empty();
    }
    var permission = Permission.toBypass(protection);
    String needed =
        "needs permission to bypass %s %s in workspace %s"
            .formatted(RULES, permission.rule().name(), permission.provider());
    if (caller.username().isEmpty()) {
      return Optional.of("the caller " + needed);
    }
    Optional<Boolean> permitted = reviews.result(permission);
    if (permitted.isEmpty()) {
      // The details are about the webhook's own permissions, and not for the caller.
      return Optional.of(
          ("who may bypass %s could not be looked up, ask again, or the platform's operator if it"
                  + " stays so")
              .formatted(permission));
    }
    return permitted.get()
        ? Optional.empty()
        : Optional.of("user " + caller.username() + " " + needed);
  }

  private record Permission(ObjectKey rule, WorkspacePath provider) {
    static Permission toBypass(MatchedRule protection) {
      return new Permission(protection.rule().key(), protection.dependency().export().path());
    }

    @Override
    public String toString() {
      return "rule " + rule.name() + " in workspace " + provider;
    }
  }
}
