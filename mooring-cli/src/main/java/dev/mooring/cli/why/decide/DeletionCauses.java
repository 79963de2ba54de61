package dev.mooring.cli.why.decide;

import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Cause.Check;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.model.dependency.DependencyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides why a deletion is refused or allowed. The first of {@link #CHECKS} gives the cause. What
 * the dependency webhook says, it says by the API server to the caller who deletes.
 */
public final class DeletionCauses {
  /** The order of the checks is the specification. */
  static final List<Check<DeletionFacts>> CHECKS =
      List.of(
          new Check<>("the caller may delete the object", DeletionCauses::notPermitted),
          new Check<>("the dependency webhook answers", DeletionCauses::unanswered),
          new Check<>("the dependency webhook knows its rules", DeletionCauses::unready),
          new Check<>("nothing refers to the object", DeletionCauses::referenced),
          new Check<>("the dependency webhook can decide", DeletionCauses::undecided),
          new Check<>("nothing else refuses the deletion", DeletionCauses::refusedByOther),
          new Check<>("no bypass is requested", DeletionCauses::bypassed),
          new Check<>("the rules are in force", DeletionCauses::ineffective),
          new Check<>("the rules are enforced", DeletionCauses::notEnforced),
          new Check<>("the rules deny", DeletionCauses::tolerated),
          new Check<>("a rule protects the object", DeletionCauses::unprotected));

  private static final String WEBHOOK = "dependency-controller.dependencies.opendefense.cloud";
  private static final Pattern CALL_FAILED =
      Pattern.compile("failed calling webhook \"" + Pattern.quote(WEBHOOK) + "\": (.*)");
  private static final Pattern DENIED =
      Pattern.compile("admission webhook \"([^\"]+)\" denied the request: (.*)");

  private DeletionCauses() {}

  /** Empty if the deletion is allowed because nothing refers to the object. */
  public static Optional<Cause> first(DeletionFacts facts) {
    return Cause.first(CHECKS, facts);
  }

  private static Optional<Finding> notPermitted(DeletionFacts facts) {
    return facts.dryRun() instanceof DryRun.NotPermitted(var message)
        ? Optional.of(
            new Finding(
                State.denied,
                "NotPermitted",
                "the caller lacks the permission to delete the object",
                List.of(message),
                "have an administrator of the workspace grant verb delete"))
        : Optional.empty();
  }

  private static Optional<Finding> unanswered(DeletionFacts facts) {
    return matching(facts, CALL_FAILED)
        .map(call ->
            new Finding(
                State.denied,
                "WebhookUnavailable",
                "the dependency webhook does not answer kcp, so every protected deletion fails",
                with(facts, call.group(1)),
                "have the operator start the dependency webhook, or correct its URL and CA; until"
                    + " then: "
                    + byAnnotation(facts)));
  }

  private static Optional<Finding> unready(DeletionFacts facts) {
    return webhookSaid(facts)
        .filter(said ->
            said.contains("the rule cache is stale")
                || said.contains("webhook not yet initialized"))
        .map(said ->
            new Finding(
                State.denied,
                said.contains("stale") ? "RulesStale" : "RulesNotLoaded",
                "the dependency webhook does not know the present rules, so it denies",
                with(facts, said),
                "retry; if it stays so, have the operator look at the webhook's readiness, which"
                    + " names the shard that it does not hear of"));
  }

  private static Optional<Finding> referenced(DeletionFacts facts) {
    return webhookSaid(facts)
        .filter(said -> said.contains("still referenced by"))
        .map(said -> {
          var evidence = new ArrayList<String>(List.of(said));
          facts
              .denying()
              .filter(rule -> !rule.found().isEmpty())
              .forEach(rule ->
                  evidence.add(
                      "%s: %s %s refers to it"
                          .formatted(rule.title(), String.join(", ", rule.found()), rule.field())));
          evidence.addAll(facts.webhook().value().orElse(List.of()));
          return new Finding(
              State.denied,
              "Referenced",
              "other objects refer to the object, and a DependencyRule protects it",
              evidence,
              "delete the objects that refer to it first, or bypass: " + bypass(facts));
        });
  }

  private static Optional<Finding> undecided(DeletionFacts facts) {
    return webhookSaid(facts)
        .map(said ->
            new Finding(
                State.denied,
                "NotEvaluated",
                "the dependency webhook could not decide, so it denies",
                with(facts, said),
                "retry; if it stays so, have the operator look at the webhook's log and status"));
  }

  private static Optional<Finding> refusedByOther(DeletionFacts facts) {
    return refusal(facts)
        .map(said ->
            new Finding(
                State.denied,
                "RefusedByOther",
                matching(facts, DENIED)
                    .map(denied -> "admission webhook " + denied.group(1) + " refuses the deletion")
                    .orElse("the API server refuses the deletion"),
                List.of(said),
                "do what the message says; Mooring has no part in it"));
  }

  private static Optional<Finding> bypassed(DeletionFacts facts) {
    return facts
        .object()
        .annotation(DependencyRule.SKIP_PROTECTION)
        .filter(_ -> facts.denying().anyMatch(rule -> !rule.found().isEmpty()))
        .map(value ->
            new Finding(
                State.allowed,
                "Bypassed",
                "the object's annotation bypasses the rules",
                List.of(DependencyRule.SKIP_PROTECTION + "=" + value),
                "remove the annotation to protect the object again"));
  }

  private static Optional<Finding> ineffective(DeletionFacts facts) {
    List<RuleView> broken =
        facts.rules().stream().filter(rule -> rule.status().state().isProblem()).toList();
    if (broken.isEmpty()) {
      return Optional.empty();
    }
    ObjectStatus status = broken.getFirst().status();
    return Optional.of(
        new Finding(
            State.failed,
            "RuleNotInForce",
            "the deletion is allowed, because %s is not in force"
                .formatted(broken.getFirst().title()),
            broken.stream()
                .map(RuleView::status)
                .map(each ->
                    "%s: %s %s: %s"
                        .formatted(each.object(), each.condition(), each.reason(), each.message()))
                .toList(),
            "correct the rule (%s); mooring lint checks it".formatted(status.reason())));
  }

  private static Optional<Finding> notEnforced(DeletionFacts facts) {
    List<RuleView> ignored = facts.denying().filter(rule -> !rule.found().isEmpty()).toList();
    return ignored.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                State.failed,
                "NotEnforced",
                "the deletion is allowed although %s denies it"
                    .formatted(ignored.getFirst().title()),
                ignored.stream()
                    .map(rule -> String.join(", ", rule.found()) + " refers to it")
                    .toList(),
                "have the operator check that the provider's workspace has the"
                    + " ValidatingWebhookConfiguration dependency-controller"));
  }

  private static Optional<Finding> tolerated(DeletionFacts facts) {
    return facts.rules().stream()
        .filter(rule -> !rule.found().isEmpty())
        .findFirst()
        .map(rule ->
            new Finding(
                State.allowed,
                "Tolerated",
                "objects refer to the object, and the rule has mode " + rule.mode(),
                List.of(rule.title() + ": " + String.join(", ", rule.found())),
                "nothing; the deletion leaves these references behind"));
  }

  private static Optional<Finding> unprotected(DeletionFacts facts) {
    return facts.rules().isEmpty()
        ? Optional.of(
            new Finding(
                State.allowed,
                "NoRule",
                facts.unread().isEmpty()
                    ? "no DependencyRule is about objects of this type"
                    : "no DependencyRule that the caller may read is about objects of this type",
                facts.unread(),
                "nothing; the API server allows the deletion"))
        : Optional.empty();
  }

  private static String bypass(DeletionFacts facts) {
    List<RuleView> guarded =
        facts
            .denying()
            .filter(rule -> rule.requiresPermission() && !rule.mayBypass().value().orElse(false))
            .toList();
    return guarded.isEmpty()
        ? byAnnotation(facts)
        : byAnnotation(facts)
            + guarded.stream()
                .map(rule ->
                    "; %s wants permission to bypass it in workspace %s"
                        .formatted(rule.title(), rule.provider()))
                .collect(Collectors.joining());
  }

  private static String byAnnotation(DeletionFacts facts) {
    return switch (facts.mayAnnotate()) {
          case Fact.Known<Boolean>(var may) when !may ->
              "(you may not; ask a user who may patch the object) ";
          case Fact.Known<Boolean> _, Fact.Unread<Boolean> _ -> "";
        }
        + "kubectl annotate "
        + facts.kubectlName()
        + " "
        + DependencyRule.SKIP_PROTECTION
        + "=true";
  }

  private static List<String> with(DeletionFacts facts, String said) {
    return Stream.concat(Stream.of(said), facts.webhook().value().orElse(List.of()).stream())
        .toList();
  }

  private static Optional<String> refusal(DeletionFacts facts) {
    return facts.dryRun() instanceof DryRun.Refused(var message)
        ? Optional.of(message)
        : Optional.empty();
  }

  private static Optional<Matcher> matching(DeletionFacts facts, Pattern pattern) {
    return refusal(facts).map(pattern::matcher).filter(Matcher::find);
  }

  private static Optional<String> webhookSaid(DeletionFacts facts) {
    return matching(facts, DENIED)
        .filter(denied -> denied.group(1).equals(WEBHOOK))
        .map(denied -> denied.group(2));
  }
}
