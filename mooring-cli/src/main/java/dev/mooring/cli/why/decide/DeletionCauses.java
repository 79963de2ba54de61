package dev.mooring.cli.why.decide;

import dev.mooring.cli.why.decide.Cause.Check;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.Remedy.Who;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.WebhookContract;
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
          new Check<>("the dependency webhook may read dependents", DeletionCauses::unreadable),
          new Check<>("no rule that has a mistake denies", DeletionCauses::overprotected),
          new Check<>("nothing refers to the object", DeletionCauses::referenced),
          new Check<>("the dependency webhook can decide", DeletionCauses::undecided),
          new Check<>("nothing else refuses the deletion", DeletionCauses::refusedByOther),
          new Check<>("no bypass is requested", DeletionCauses::bypassed),
          new Check<>("the rules are in force", DeletionCauses::ineffective),
          new Check<>("the rules are enforced", DeletionCauses::notEnforced),
          new Check<>("the rules deny", DeletionCauses::tolerated),
          new Check<>("the rules find what refers to the object", DeletionCauses::blind),
          new Check<>("a rule protects the object", DeletionCauses::unprotected));

  private static final String WEBHOOK = "dependency-controller.dependencies.opendefense.cloud";
  private static final Pattern CALL_FAILED =
      Pattern.compile("failed calling webhook \"" + Pattern.quote(WEBHOOK) + "\": (.*)");
  private static final Pattern DENIED =
      Pattern.compile("admission webhook \"([^\"]+)\" denied the request: (.*)");

  private static final Pattern GRANT =
      Pattern.compile("(add \\{.*" + Pattern.quote(WebhookContract.READABLE_TYPES) + ".*)");

  private DeletionCauses() {}

  /** Empty if the deletion is allowed because nothing refers to the object. */
  public static Optional<Cause> first(DeletionFacts facts) {
    return Cause.first(CHECKS, facts);
  }

  /** What refuses the deletion, a line each; empty if nothing does. */
  public static List<String> blockers(DeletionFacts facts) {
    return first(facts)
        .map(Cause::finding)
        .filter(finding -> finding.state() == State.denied)
        .map(Finding::evidence)
        .orElse(List.of());
  }

  private static Optional<Finding> notPermitted(DeletionFacts facts) {
    return facts.dryRun() instanceof DryRun.NotPermitted(var message)
        ? Optional.of(
            new Finding(
                State.denied,
                "NotPermitted",
                "the caller lacks the permission to delete the object",
                List.of(message),
                new Remedy(
                    Who.consumer,
                    "RBAC of the workspace",
                    "have an administrator of the workspace grant verb delete",
                    "kubectl create clusterrole NAME --verb=delete --resource="
                        + facts.type().resource().qualified())))
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
                ofPlatform("start the dependency webhook, or correct its URL and CA")));
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
                ofPlatform(
                    "if it stays so, see the webhook's readiness, which names the shard that sends"
                        + " no events")));
  }

  private static Optional<Finding> unreadable(DeletionFacts facts) {
    return webhookSaid(facts)
        .filter(said -> !said.contains("still referenced by"))
        .flatMap(said ->
            Stream.concat(Stream.of(said), broken(facts).map(rule -> rule.status().message()))
                .filter(each -> GRANT.matcher(each).find())
                .findFirst()
                .map(grant ->
                    new Finding(
                        State.denied,
                        WebhookContract.MAY_NOT_READ,
                        "the dependency webhook may not read what a DependencyRule names, so it"
                            + " denies",
                        with(facts, said),
                        granting(grant))));
  }

  /** By the message of the webhook or of the condition. */
  private static Remedy granting(String said) {
    Matcher grant = GRANT.matcher(said);
    return new Remedy(
        Who.platform,
        "ClusterRole dependency-webhook in system:admin of every shard",
        grant.find() ? grant.group(1) : "grant what the message names",
        "helm template charts/mooring -f VALUES --set kcpManifests.place=shard | kubectl apply -f"
            + " -");
  }

  /** What the webhook cannot read of a rule protects all that it may mean. */
  private static Optional<Finding> overprotected(DeletionFacts facts) {
    boolean found = facts.denying().anyMatch(rule -> !rule.found().isEmpty());
    return webhookSaid(facts)
        .filter(said -> said.contains("still referenced by") && !found)
        .flatMap(said ->
            broken(facts)
                .findFirst()
                .map(rule ->
                    new Finding(
                        State.denied,
                        "RuleNotInForce",
                        "%s has a mistake, and denies more than it should".formatted(rule.title()),
                        List.of(said, rule.status().reason() + ": " + rule.status().message()),
                        ofRule(rule))));
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
              held(facts, said)
                  .orElseGet(() ->
                      new Remedy(
                          Who.consumer,
                          "the objects that refer to it",
                          "delete the objects that refer to it first, or bypass: " + bypass(facts),
                          "mooring blockers " + facts.kubectlName())));
        });
  }

  /** If all that the webhook names are being deleted already. */
  private static Optional<Remedy> held(DeletionFacts facts, String said) {
    List<Mention> named =
        facts.mentions().stream()
            .filter(mention -> said.contains(mention.text().replaceFirst(" .*", "")))
            .toList();
    boolean all = named.stream().allMatch(mention -> mention.held().isPresent());
    return named.stream().findFirst().filter(_ -> all).flatMap(Mention::held);
  }

  private static Optional<Finding> undecided(DeletionFacts facts) {
    return webhookSaid(facts)
        .map(said -> {
          Optional<RuleView> broken = broken(facts).findFirst();
          return broken.isPresent() || said.contains("DependencyRule")
              ? new Finding(
                  State.denied,
                  "RuleNotInForce",
                  "the dependency webhook cannot evaluate a DependencyRule, so it denies",
                  with(facts, said),
                  broken
                      .map(DeletionCauses::ofRule)
                      .orElseGet(() ->
                          new Remedy(
                              Who.provider,
                              "the DependencyRule that the message names",
                              "correct the rule",
                              "kubectl get dependencyrules")))
              : new Finding(
                  State.denied,
                  "NotEvaluated",
                  "the dependency webhook could not decide, so it denies",
                  with(facts, said),
                  ofPlatform("if it stays so, see the webhook's log and status"));
        });
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
                new Remedy(
                    Who.consumer,
                    facts.type().named(facts.object()),
                    "do what the message says; Mooring has no part in it",
                    "kubectl delete " + facts.kubectlName() + " --dry-run=server")));
  }

  private static Optional<Finding> bypassed(DeletionFacts facts) {
    return facts
        .object()
        .annotation(DependencyRule.SKIP_PROTECTION)
        .filter(_ ->
            !facts.mentions().isEmpty()
                || facts.denying().anyMatch(rule -> !rule.found().isEmpty()))
        .map(value ->
            new Finding(
                State.allowed,
                "Bypassed",
                "the object's annotation bypasses the rules",
                List.of(DependencyRule.SKIP_PROTECTION + "=" + value),
                new Remedy(
                    Who.consumer,
                    facts.type().named(facts.object()),
                    "remove the annotation to protect the object again",
                    "kubectl annotate %s %s-"
                        .formatted(facts.kubectlName(), DependencyRule.SKIP_PROTECTION))));
  }

  private static Optional<Finding> ineffective(DeletionFacts facts) {
    List<RuleView> broken = broken(facts).toList();
    return broken.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                State.failed,
                "RuleNotInForce",
                "the deletion is allowed, because %s is not in force"
                    .formatted(broken.getFirst().title()),
                broken.stream()
                    .map(RuleView::status)
                    .map(each ->
                        "%s: %s %s: %s"
                            .formatted(
                                each.object(), each.condition(), each.reason(), each.message()))
                    .toList(),
                ofRule(broken.getFirst())));
  }

  private static Stream<RuleView> broken(DeletionFacts facts) {
    return facts.rules().stream().filter(rule -> rule.status().state().isProblem());
  }

  /** By the reason of the condition. */
  private static Remedy ofRule(RuleView rule) {
    String reason = rule.status().reason();
    return switch (reason) {
      case "NotReported", "Outdated" ->
          new Remedy(
              Who.platform,
              "dependency controller",
              "start the dependency controller, or see its log",
              "mooring status --controller-url URL");
      case "WorkspaceUnreadable", "ContentForbidden", "WriteFailed", "Pending", "Unreadable" ->
          new Remedy(
              Who.platform,
              "permissions of the dependency controller",
              "grant what the condition names",
              "mooring status --controller-url URL");
      case WebhookContract.MAY_NOT_READ -> granting(rule.status().message());
      case "ProviderNotBound", "ClaimNotAccepted", "ClaimNarrowed" ->
          new Remedy(
              Who.provider,
              "APIBinding to %s in the workspace that the condition names"
                  .formatted(DependencyRule.GROUP),
              "bind the APIExport there and accept its claims; or correct apiExportRef of the rule",
              "kubectl edit apibinding " + DependencyRule.GROUP);
      case "DependentNotAllowed" ->
          new Remedy(
              Who.provider,
              "APIExport of the target in " + rule.provider(),
              "allow the dependent's export",
              "kubectl edit apiexports");
      default ->
          new Remedy(
              Who.provider,
              rule.title(),
              reason.isEmpty()
                  ? "correct fieldRef of the rule"
                  : "correct the rule (%s); mooring lint checks it".formatted(reason),
              "kubectl edit dependencyrule " + rule.name());
    };
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
                new Remedy(
                    Who.platform,
                    "ValidatingWebhookConfiguration dependency-controller in "
                        + ignored.getFirst().provider(),
                    "have the dependency controller write it again",
                    "mooring status --controller-url URL")));
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
                Remedy.none("nothing; the deletion leaves these references behind")));
  }

  /** Of a rule that reads another field than the one that has the object's name. */
  private static Optional<Finding> blind(DeletionFacts facts) {
    return facts.rules().stream()
        .flatMap(rule ->
            facts.mentions().stream()
                .filter(mention -> mention.type().equals(rule.dependentType()))
                .map(mention ->
                    new Finding(
                        State.failed,
                        "RuleFindsNothing",
                        "the deletion is allowed although %s seems to refer to the object: %s reads"
                                .formatted(mention.text(), rule.title())
                            + " another field",
                        List.of(rule.title() + " reads " + rule.field()),
                        ofRule(rule))))
        .findFirst();
  }

  private static Optional<Finding> unprotected(DeletionFacts facts) {
    if (!facts.rules().isEmpty()) {
      return Optional.empty();
    }
    var evidence = new ArrayList<>(facts.unread());
    facts.mentions().forEach(mention -> evidence.add(mention.text() + " has the object's name"));
    boolean unread = !facts.unread().isEmpty();
    Optional<Mention> mention = facts.mentions().stream().findFirst();
    return Optional.of(
        unread && mention.isPresent()
            ? new Finding(
                State.allowed,
                "NotProtected",
                ("the deletion is allowed although %s seems to refer to the object: its provider's"
                        + " DependencyRule, which the caller may not read, is missing or not in force")
                    .formatted(mention.get().text()),
                evidence,
                new Remedy(
                    Who.provider,
                    "DependencyRule of the provider of " + mention.get().export(),
                    "write the rule, or correct what its conditions name",
                    "mooring status --workspace "
                        + mention.get().export().replaceFirst(":[^:]*$", "")))
            : new Finding(
                State.allowed,
                "NoRule",
                unread
                    ? "no DependencyRule that the caller may read is about objects of this type"
                    : "no DependencyRule is about objects of this type",
                evidence,
                Remedy.none("nothing; the API server allows the deletion")));
  }

  private static Remedy ofPlatform(String fix) {
    return new Remedy(Who.platform, "dependency webhook", fix, "mooring status --webhook-url URL");
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
