package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.BypassRequest;
import dev.mooring.depwebhook.admission.decide.DeletionFacts.Bypasses;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.access.PermissionReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks which protections a caller bypasses by the target's annotation. The workspace of the
 * target's provider says whether the caller may {@code bypass} a rule there: the rule protects that
 * provider's objects, so that provider grants the permission. Thread-safe.
 */
public final class BypassChecker {
  private static final Logger LOG = LoggerFactory.getLogger(BypassChecker.class);
  private static final GroupResource RULES = GroupResource.of(DependencyRule.TYPE);

  private final Function<Protection, KubeClient> providers;
  private final Workspaces<KubeClient> clusters;
  private final InstantSource clock;

  /**
   * @param providers the workspace that a protection's target is exported from
   * @param clusters one logical cluster
   */
  public BypassChecker(
      Function<Protection, KubeClient> providers,
      Workspaces<KubeClient> clusters,
      InstantSource clock) {
    this.providers = providers;
    this.clusters = clusters;
    this.clock = clock;
  }

  Bypasses findBypasses(Review.Deletion deletion, List<Protection> protections, Deadline deadline) {
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
                    () -> refusal(protection, deletion)));
      }
    }
    return reviews;
  }

  /** Empty if the caller may bypass the rule, else why not. */
  private Optional<String> refusal(Protection protection, Review.Deletion deletion) {
    String rule = protection.rule().key().name();
    String where = protection.dependency().export().path().value();
    Caller caller = deletion.caller();
    if (caller.username().isEmpty()) {
      return Optional.of(
          "the caller needs permission to bypass %s %s in workspace %s"
              .formatted(RULES, rule, where));
    }
    try {
      KubeClient workspace =
          deletion.provider().map(clusters::in).orElseGet(() -> providers.apply(protection));
      return PermissionReviewer.permits(workspace, caller, "bypass", RULES, rule)
          ? Optional.empty()
          : Optional.of(
              "user %s needs permission to bypass %s %s in workspace %s"
                  .formatted(caller.username(), RULES, rule, where));
    } catch (KubeFailure failure) {
      LOG.warn(
          "Permission to bypass rule {} in workspace {} could not be reviewed: {}{}",
          rule,
          where,
          failure.getMessage(),
          failure.kind() == KubeFailure.Kind.FORBIDDEN
              ? "; let the webhook's user create subjectaccessreviews.authorization.k8s.io there"
              : "");
      // The details are about the webhook's own permissions, and not for the caller.
      return Optional.of(
          ("who may bypass rule %s in workspace %s could not be looked up, ask again, or the"
                  + " platform's operator if it stays so")
              .formatted(rule, where));
    }
  }

  private record Permission(ObjectKey rule, WorkspacePath provider) {
    static Permission toBypass(Protection protection) {
      return new Permission(protection.rule().key(), protection.dependency().export().path());
    }
  }
}
