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

  private static final String REFERENCED = "still referenced by";
  private static final String NOT_IN_FORCE = "RuleNotInForce";
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

  /** What refuses the deletion; empty if nothing does. */
  public static Optional<Finding> denial(DeletionFacts facts) {
    return first(facts).map(Cause::finding).filter(finding -> finding.state() == State.denied);
  }

  private static Optional<Finding> notPermitted(DeletionFacts facts) {
    return facts.dryRun() instanceof DryRun.NotPermitted(var message)
        ? State.denied
            .of("NotPermitted", "the caller lacks the permission to delete the object")
            .shownBy(message)
            .fixedBy(
                Who.consumer,
                "RBAC of the workspace",
                "have an administrator of the workspace grant verb delete",
                "kubectl create clusterrole NAME --verb=delete --resource="
                    + facts.type().resource().qualified())
        : Optional.empty();
  }

  private static Optional<Finding> unanswered(DeletionFacts facts) {
    return matching(facts, CALL_FAILED)
        .flatMap(call ->
            State.denied
                .of(
                    "WebhookUnavailable",
                    "the dependency webhook does not answer kcp, so every protected deletion"
                        + " fails")
                .shownBy(with(facts, call.group(1)))
                .fixedBy(ofPlatform("start the dependency webhook, or correct its URL and CA")));
  }

  private static Optional<Finding> unready(DeletionFacts facts) {
    return webhookSaid(facts)
        .filter(said ->
            said.contains("the rule cache is stale")
                || said.contains("webhook not yet initialized"))
        .flatMap(said ->
            State.denied
                .of(
                    said.contains("stale") ? "RulesStale" : "RulesNotLoaded",
                    "the dependency webhook does not know the present rules, so it denies")
                .shownBy(with(facts, said))
                .fixedBy(
                    ofPlatform(
                        "if it stays so, see the webhook's readiness, which names the shard"
                            + " that sends no events")));
  }

  private static Optional<Finding> unreadable(DeletionFacts facts) {
    return webhookSaid(facts)
        .filter(said -> !said.contains(REFERENCED))
        .flatMap(said ->
            Stream.concat(Stream.of(said), broken(facts).map(rule -> rule.status().message()))
                .filter(each -> GRANT.matcher(each).find())
                .findFirst()
                .flatMap(grant ->
                    State.denied
                        .of(
                            WebhookContract.MAY_NOT_READ,
                            "the dependency webhook may not read what a DependencyRule"
                                + " names, so it denies")
                        .shownBy(with(facts, said))
                        .fixedBy(granting(grant))));
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
    return webhookSaid(facts)
        .filter(said -> said.contains(REFERENCED) && finding(facts.denying()).isEmpty())
        .flatMap(said ->
            broken(facts)
                .findFirst()
                .flatMap(rule ->
                    State.denied
                        .of(
                            NOT_IN_FORCE,
                            rule.title() + " has a mistake, and denies more than it should")
                        .shownBy(
                            List.of(said, rule.status().reason() + ": " + rule.status().message()))
                        .fixedBy(ofRule(rule))));
  }

  private static Optional<Finding> referenced(DeletionFacts facts) {
    return webhookSaid(facts)
        .filter(said -> said.contains(REFERENCED))
        .flatMap(said -> {
          var evidence = new ArrayList<String>(List.of(said));
          finding(facts.denying())
              .forEach(rule ->
                  evidence.add(
                      "%s: %s %s refers to it"
                          .formatted(rule.title(), String.join(", ", rule.found()), rule.field())));
          evidence.addAll(facts.webhook().value().orElse(List.of()));
          return State.denied
              .of(
                  "Referenced",
                  "other objects refer to the object, and a DependencyRule protects it")
              .shownBy(evidence)
              .fixedBy(
                  held(facts, said)
                      .orElseGet(() ->
                          new Remedy(
                              Who.consumer,
                              "the objects that refer to it",
                              "delete the objects that refer to it first, or bypass: "
                                  + bypass(facts),
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
        .flatMap(said -> {
          Optional<Remedy> rule =
              broken(facts)
                  .findFirst()
                  .map(DeletionCauses::ofRule)
                  .or(() ->
                      said.contains(DependencyRule.KIND)
                          ? Optional.of(
                              new Remedy(
                                  Who.provider,
                                  "the DependencyRule that the message names",
                                  "correct the rule",
                                  "kubectl get dependencyrules"))
                          : Optional.empty());
          return (rule.isPresent()
                  ? State.denied.of(
                      NOT_IN_FORCE,
                      "the dependency webhook cannot evaluate a DependencyRule, so it denies")
                  : State.denied.of(
                      "NotEvaluated", "the dependency webhook could not decide, so it denies"))
              .shownBy(with(facts, said))
              .fixedBy(
                  rule.orElseGet(
                      () -> ofPlatform("if it stays so, see the webhook's log and status")));
        });
  }

  private static Optional<Finding> refusedByOther(DeletionFacts facts) {
    return refusal(facts)
        .flatMap(said ->
            State.denied
                .of(
                    "RefusedByOther",
                    matching(facts, DENIED)
                            .map(denied -> "admission webhook " + denied.group(1))
                            .orElse("the API server")
                        + " refuses the deletion")
                .shownBy(said)
                .fixedBy(
                    Who.consumer,
                    facts.type().named(facts.object()),
                    "do what the message says; Mooring has no part in it",
                    "kubectl delete " + facts.kubectlName() + " --dry-run=server"));
  }

  private static Optional<Finding> bypassed(DeletionFacts facts) {
    return facts
        .object()
        .annotation(DependencyRule.SKIP_PROTECTION)
        .filter(_ -> !facts.mentions().isEmpty() || !finding(facts.denying()).isEmpty())
        .flatMap(value ->
            State.allowed
                .of("Bypassed", "the object's annotation bypasses the rules")
                .shownBy(DependencyRule.SKIP_PROTECTION + "=" + value)
                .fixedBy(
                    Who.consumer,
                    facts.type().named(facts.object()),
                    "remove the annotation to protect the object again",
                    "kubectl annotate %s %s-"
                        .formatted(facts.kubectlName(), DependencyRule.SKIP_PROTECTION)));
  }

  private static Optional<Finding> ineffective(DeletionFacts facts) {
    return broken(facts)
        .findFirst()
        .flatMap(first ->
            State.failed
                .of(
                    NOT_IN_FORCE,
                    "the deletion is allowed, because " + first.title() + " is not in force")
                .shownBy(
                    broken(facts)
                        .map(RuleView::status)
                        .map(each ->
                            "%s: %s %s: %s"
                                .formatted(
                                    each.object(), each.condition(), each.reason(), each.message()))
                        .toList())
                .fixedBy(ofRule(first)));
  }

  private static Stream<RuleView> broken(DeletionFacts facts) {
    return facts.rules().stream().filter(rule -> rule.status().state().isProblem());
  }

  /** Those to which an object refers that was found. */
  private static List<RuleView> finding(Stream<RuleView> rules) {
    return rules.filter(rule -> !rule.found().isEmpty()).toList();
  }

  /** By the reason of the condition. */
  private static Remedy ofRule(RuleView rule) {
    String reason = rule.status().reason();
    return switch (reason) {
      case "NotReported", "Outdated" ->
          ofController("dependency controller", "start the dependency controller, or see its log");
      case "WorkspaceUnreadable", "ContentForbidden", "WriteFailed", "Pending", "Unreadable" ->
          ofController(
              "permissions of the dependency controller", "grant what the condition names");
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
    List<RuleView> ignored = finding(facts.denying());
    return ignored.stream()
        .findFirst()
        .flatMap(first ->
            State.failed
                .of(
                    "NotEnforced",
                    "the deletion is allowed although " + first.title() + " denies it")
                .shownBy(
                    ignored.stream()
                        .map(rule -> String.join(", ", rule.found()) + " refers to it")
                        .toList())
                .fixedBy(
                    ofController(
                        "ValidatingWebhookConfiguration dependency-controller in "
                            + first.provider(),
                        "have the dependency controller write it again")));
  }

  private static Optional<Finding> tolerated(DeletionFacts facts) {
    return finding(facts.rules().stream()).stream()
        .findFirst()
        .flatMap(rule ->
            State.allowed
                .of(
                    "Tolerated",
                    "objects refer to the object, and the rule has mode " + rule.mode())
                .shownBy(rule.title() + ": " + String.join(", ", rule.found()))
                .fixedBy(Remedy.none("nothing; the deletion leaves these references behind")));
  }

  /** Of a rule that reads another field than the one that has the object's name. */
  private static Optional<Finding> blind(DeletionFacts facts) {
    return facts.rules().stream()
        .flatMap(rule ->
            facts.mentions().stream()
                .filter(mention -> mention.type().equals(rule.dependentType()))
                .flatMap(mention ->
                    State.failed
                        .of(
                            "RuleFindsNothing",
                            "the deletion is allowed although %s seems to refer to the object: %s reads another field"
                                .formatted(mention.text(), rule.title()))
                        .shownBy(rule.title() + " reads " + rule.field())
                        .fixedBy(ofRule(rule))
                        .stream()))
        .findFirst();
  }

  private static Optional<Finding> unprotected(DeletionFacts facts) {
    if (!facts.rules().isEmpty()) {
      return Optional.empty();
    }
    var evidence = new ArrayList<>(facts.unread());
    facts.mentions().forEach(mention -> evidence.add(mention.text() + " has the object's name"));
    boolean unread = !facts.unread().isEmpty();
    return facts.mentions().stream()
        .findFirst()
        .filter(_ -> unread)
        .flatMap(mention ->
            State.allowed
                .of(
                    "NotProtected",
                    "the deletion is allowed although %s seems to refer to the object: its provider's DependencyRule, which the caller may not read, is missing or not in force"
                        .formatted(mention.text()))
                .shownBy(evidence)
                .fixedBy(
                    Who.provider,
                    "DependencyRule of the provider of " + mention.export(),
                    "write the rule, or correct what its conditions name",
                    "mooring status --workspace " + mention.export().replaceFirst(":[^:]*$", "")))
        .or(() ->
            State.allowed
                .of(
                    "NoRule",
                    "no DependencyRule%s is about objects of this type"
                        .formatted(unread ? " that the caller may read" : ""))
                .shownBy(evidence)
                .fixedBy(Remedy.none("nothing; the API server allows the deletion")));
  }

  private static Remedy ofController(String object, String fix) {
    return new Remedy(Who.platform, object, fix, "mooring status --controller-url URL");
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
