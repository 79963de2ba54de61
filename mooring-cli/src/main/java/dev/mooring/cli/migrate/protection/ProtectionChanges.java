package dev.mooring.cli.migrate.protection;

import dev.mooring.cli.migrate.Change;
import dev.mooring.depcontroller.guard.decide.BlockedWrite;
import dev.mooring.depcontroller.guard.decide.GuardPlan;
import dev.mooring.depcontroller.guard.decide.GuardPlanner;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.ProtectedResources;
import dev.mooring.depcontroller.rules.decide.DependencyCycles;
import dev.mooring.depcontroller.rules.decide.ResolvedDependency;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What changes when the dependency controller takes over: its planners, run on what kcp holds. */
final class ProtectionChanges {
  /** Of the controller's property webhook-timeout. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Certificates that end sooner are to be renewed before a take-over. */
  private static final Duration SOON = Duration.ofDays(30);

  private final ProtectionFacts facts;
  private final List<Change> changes = new ArrayList<>();

  private ProtectionChanges(ProtectionFacts facts) {
    this.facts = facts;
  }

  /**
   * @param shippedSchema name of the APIResourceSchema of DependencyRules that Mooring ships
   * @param now to see which certificates end
   */
  static List<Change> of(ProtectionFacts facts, String shippedSchema, Instant now) {
    var found = new ProtectionChanges(facts);
    found.flags();
    found.certificates(now);
    facts.webhook().ifPresent(webhook -> found.webhook(webhook, now));
    found.schema(shippedSchema);
    found.rules();
    found.configurations();
    facts
        .missingRights()
        .forEach(right -> found.changes.add(Change.act("rights", "Missing", right)));
    return List.copyOf(found.changes);
  }

  private void flags() {
    changes.add(
        facts.flags().webhookUrl().isPresent()
            ? Change.same("flags", "Understood", "the dependency controller starts with them")
            : Change.act(
                "flags",
                "WebhookUrlMissing",
                "without --webhook-url the Go controller installs nothing; the dependency"
                    + " controller does not start: set it"));
    List<String> ignored =
        facts.flags().given().stream()
            .filter(flag -> flag.matches("--?zap-.*"))
            .map(flag -> flag.replaceFirst("=.*", ""))
            .toList();
    if (!ignored.isEmpty()) {
      changes.add(
          Change.changes(
              "flags",
              "NoEffect",
              String.join(", ", ignored) + " have no effect; set logging.level.… instead"));
    }
    if (String.join(" ", facts.flags().given())
        .matches(".*--?health-probe-bind-address[= ]0( .*)?")) {
      changes.add(
          Change.changes(
              "flags",
              "HealthStaysOn",
              "--health-probe-bind-address=0 does not disable the endpoints: they are at port"
                  + " 8086"));
    }
  }

  private void certificates(Instant now) {
    for (X509Certificate authority : facts.authorities()) {
      Instant end = authority.getNotAfter().toInstant();
      String name = authority.getSubjectX500Principal().getName();
      if (end.isBefore(now)) {
        changes.add(
            Change.refused(
                "certificate",
                "Expired",
                "%s of --webhook-ca-bundle-path ended at %s: kcp fails every protected deletion"
                    .formatted(name, end)));
      } else {
        changes.add(
            end.isBefore(now.plus(SOON))
                ? Change.act(
                    "certificate",
                    "EndsSoon",
                    "%s of --webhook-ca-bundle-path ends at %s: renew it first"
                        .formatted(name, end))
                : Change.same(
                    "certificate",
                    "Valid",
                    "%s of --webhook-ca-bundle-path, until %s".formatted(name, end)));
      }
    }
  }

  /** kcp verifies the same, from its own machines. */
  private void webhook(WebhookProbe webhook, Instant now) {
    String url = "webhook " + facts.flags().webhookUrl().orElse("");
    String trusted =
        facts.authorities().isEmpty()
            ? "the authorities of this JDK"
            : "the authorities of --webhook-ca-bundle-path";
    changes.add(
        switch (webhook) {
          case WebhookProbe.Trusted(var end) when end.isBefore(now.plus(SOON)) ->
              Change.act(
                  url, "EndsSoon", "its certificate ends at %s: renew it first".formatted(end));
          case WebhookProbe.Trusted(var end) ->
              Change.same(
                  url, "Trusted", "serves a certificate of %s, until %s".formatted(trusted, end));
          case WebhookProbe.Untrusted(var why) ->
              Change.act(
                  url,
                  "Untrusted",
                  "the TLS handshake fails with %s: %s; kcp would fail every protected deletion: correct the webhook's certificate, the bundle or the URL"
                      .formatted(trusted, why));
          case WebhookProbe.Silent(var why) ->
              Change.act(
                  url,
                  "Unreachable",
                  "this machine does not reach it: %s; run this check where kcp runs, or correct --webhook-url"
                      .formatted(why));
        });
  }

  private void schema(String shipped) {
    String title = "APIExport/" + facts.flags().export();
    changes.add(
        facts.schema().equals(shipped)
            ? Change.same(title, "SchemaKept", "APIResourceSchema " + shipped)
            : Change.changes(
                title,
                "OldSchema",
                "DependencyRules have APIResourceSchema %s: no status, no new fields until"
                        .formatted(facts.schema())
                    + " apiresourceschema.yaml, then apiexport.yaml of charts/mooring/kcp are"
                    + " applied"));
  }

  private void rules() {
    Map<ObjectKey, RuleProblem> problems = facts.rules().ruleProblems();
    Map<ObjectKey, String> cycles = DependencyCycles.in(facts.rules());
    for (RuleReading reading : facts.rules().readings()) {
      String title =
          "DependencyRule/" + reading.key().name() + " in " + facts.named(reading.key().cluster());
      switch (reading) {
        case RuleReading.Invalid(var _, var _, var because) ->
            changes.add(Change.refused(title, "InvalidRule", String.join("; ", because)));
        case RuleReading.Valid(var rule) -> {
          rule(title, rule, Optional.ofNullable(problems.get(rule.key())));
          Optional.ofNullable(cycles.get(rule.key()))
              .ifPresent(cycle ->
                  changes.add(
                      Change.changes(title, "Cyclic", "reported as a condition: " + cycle)));
        }
      }
    }
  }

  private void rule(String title, DependencyRule rule, Optional<RuleProblem> problem) {
    rule.problems().forEach(text -> changes.add(Change.act(title, "PartlyInvalid", text)));
    if (problem.isPresent()) {
      RuleProblem found = problem.get();
      changes.add(
          switch (found.kind()) {
            case NOT_COUNTING ->
                Change.refused(
                    title,
                    found.reason(),
                    "protects nothing with Mooring, where the Go program may protect: "
                        + found.message());
            case UNKNOWN -> Change.act(title, found.reason(), found.message());
          });
      return;
    }
    List<String> unfound =
        facts.rules().dependencies(rule).stream()
            .filter(dependency -> !isFoundByGo(dependency))
            .map(dependency -> dependency.path().value())
            .distinct()
            .toList();
    changes.add(
        unfound.isEmpty()
            ? Change.same(title, "Counts", "protects the same")
            : Change.changes(
                title,
                "BeginsToCount",
                "the Go controller looks for the last segment of %s in root; Mooring follows the path, and deletions may begin to be denied"
                    .formatted(String.join(", ", unfound))));
  }

  /** Which takes every path for one of a workspace in root. */
  private static boolean isFoundByGo(ResolvedDependency dependency) {
    return dependency.resolution() instanceof Resolution.Known
        && dependency.path().parent().equals(Optional.of(WorkspacePath.ROOT));
  }

  private void configurations() {
    var providers = new TreeSet<LogicalCluster>(facts.rules().byProvider().keySet());
    providers.addAll(facts.configurations().keySet());
    for (LogicalCluster provider : providers) {
      configuration(provider);
    }
  }

  private void configuration(LogicalCluster provider) {
    String title =
        "ValidatingWebhookConfiguration/%s in %s"
            .formatted(GuardSettings.CONFIGURATION, facts.named(provider));
    List<KubeObject> bindings =
        facts.bindings().stream()
            .filter(binding -> binding.logicalCluster().equals(Optional.of(provider)))
            .toList();
    if (bindings.isEmpty()) {
      return; // its rules say ProviderNotBound
    }
    BlockedWrite.narrowed(bindings)
        .ifPresent(
            blocked -> changes.add(Change.act(title, blocked.cause().reason(), blocked.message())));
    if (bindings.stream().noneMatch(ProtectionChanges::acceptsClaim)) {
      changes.add(
          Change.act(
              title,
              "ClaimNotAccepted",
              "the APIBinding does not accept the permission claim for"
                  + " validatingwebhookconfigurations: accept it"));
    }
    var settings =
        new GuardSettings(
            facts.flags().webhookUrl().orElse("https://webhook.invalid/validate"),
            facts.caBundle(),
            FailurePolicy.FAIL,
            TIMEOUT);
    Optional<KubeObject> actual =
        facts.configurations().getOrDefault(provider, List.of()).stream()
            .filter(found -> found.name().equals(GuardSettings.CONFIGURATION))
            .findFirst();
    changes.add(
        switch (GuardPlanner.plan(
            provider, ProtectedResources.in(provider, facts.rules()), settings, actual)) {
          case GuardPlan.InSync() -> Change.same(title, "Kept", "nothing is written");
          case GuardPlan.Create(var wanted) ->
              Change.changes(title, "Created", "covers " + covered(wanted));
          case GuardPlan.Replace(var wanted) ->
              Change.changes(title, "Replaced", replaced(actual.orElseThrow(), wanted));
          case GuardPlan.Remove _ -> Change.changes(title, "Removed", "no rule needs it any more");
        });
  }

  private static boolean acceptsClaim(KubeObject binding) {
    return binding.list("spec", "permissionClaims").stream()
        .anyMatch(claim ->
            "validatingwebhookconfigurations".equals(Trees.at(claim, "resource"))
                && "Accepted".equals(Trees.at(claim, "state")));
  }

  private static String replaced(KubeObject before, KubeObject after) {
    var parts = new ArrayList<String>();
    parts.add("in place, under the same name");
    String url = url(before);
    if (!url.isEmpty() && !url(after).startsWith(url)) {
      parts.add("URL " + unsigned(url(after)) + " for " + unsigned(url));
    }
    if (!Objects.equals(ca(before), ca(after))) {
      parts.add("another CA bundle");
    }
    if (!covered(before).equals(covered(after))) {
      parts.add("covers " + covered(after) + " for " + covered(before));
    }
    List<String> added = names(after);
    added.removeAll(names(before));
    if (!added.isEmpty()) {
      parts.add("entries " + String.join(", ", added) + " are added");
    }
    return String.join("; ", parts);
  }

  /** Without what Mooring's controller appends, which the webhook takes for a proof of origin. */
  private static String unsigned(String url) {
    return url.replaceFirst("^(https?://[^/]+/[^/]+)/.*", "$1/…");
  }

  private static String url(KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .map(entry -> Trees.text(entry, "clientConfig", "url"))
        .findFirst()
        .orElse("");
  }

  private static Object ca(KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .map(entry -> Trees.text(entry, "clientConfig", "caBundle"))
        .findFirst()
        .orElse("");
  }

  private static List<String> names(KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .map(entry -> Trees.text(entry, "name"))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Resources, such as {@code vpcs.network.example.corp}. */
  private static String covered(KubeObject configuration) {
    var covered = new TreeSet<String>();
    for (Object entry : configuration.list("webhooks")) {
      for (Object rule : Trees.list(entry, "rules")) {
        for (String group : Trees.texts(Trees.at(rule, "apiGroups"))) {
          Trees.texts(Trees.at(rule, "resources"))
              .forEach(
                  resource -> covered.add(group.isEmpty() ? resource : resource + "." + group));
        }
      }
    }
    return String.join(", ", covered);
  }
}
