package dev.mooring.cli.migrate.agent;

import static dev.mooring.cli.migrate.Change.Verdict.ACT;
import static dev.mooring.cli.migrate.Change.Verdict.CHANGES;
import static dev.mooring.cli.migrate.Change.Verdict.REFUSED;
import static dev.mooring.cli.migrate.Change.Verdict.SAME;

import dev.mooring.cli.live.Titles;
import dev.mooring.cli.migrate.Change;
import dev.mooring.cli.migrate.Change.Verdict;
import dev.mooring.cli.migrate.agent.AgentFacts.Type;
import dev.mooring.cli.migrate.agent.AgentFlags.LeaderElection;
import dev.mooring.cli.published.ExportRendering;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.PublicationPlan.ExportDiff;
import dev.mooring.syncagent.publish.decide.StatusFields;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SchemaChange;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.OriginalFinalizers;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What changes when the sync agent takes over: the agent's planners, run on what the clusters hold.
 */
final class AgentChanges {
  private static final int LISTED_MAX = 3;

  private final AgentFacts facts;
  private final List<Change> changes = new ArrayList<>();

  private AgentChanges(AgentFacts facts) {
    this.facts = facts;
  }

  /**
   * @param now to see whether the Lease is held
   */
  static List<Change> of(AgentFacts facts, Instant now) {
    var found = new AgentChanges(facts);
    found.flags();
    found.lease(now);
    found.publications();
    facts.published().forEach(type -> found.changes.addAll(new ObjectChanges(facts, type).all()));
    found.records();
    found.definition();
    facts.missingRights().forEach(right -> found.add(ACT, "rights", "Missing", right));
    facts.unread().forEach(what -> found.add(ACT, "rights", "NotRead", what));
    return List.copyOf(found.changes);
  }

  private void add(Verdict verdict, String object, String reason, String message) {
    changes.add(new Change(verdict, object, reason, message));
  }

  private void flags() {
    List<String> given = facts.flags().given();
    add(
        SAME,
        "flags",
        "Understood",
        "the sync agent starts with them as agent %s; they mean the same"
            .formatted(facts.flags().agentName()));
    int at = given.indexOf("--enable-leader-election");
    if (at >= 0 && at + 1 < given.size() && given.get(at + 1).equals("false")) {
      add(
          ACT,
          "flags",
          "LeaderElection",
          "api-syncagent ignores the value of \"--enable-leader-election false\" and elects a"
              + " leader; the sync agent does not: write --enable-leader-election");
    }
  }

  private void lease(Instant now) {
    Optional<String> holder =
        facts
            .lease()
            .filter(lease -> isRenewed(lease, now))
            .map(lease -> lease.text("spec", "holderIdentity"))
            .filter(name -> !name.isEmpty());
    String lease = "Lease/syncagent." + facts.flags().agentName();
    if (facts.flags().leaderElection() == LeaderElection.ON) {
      add(
          SAME,
          lease,
          "Shared",
          "both programs use it"
              + holder
                  .map(name -> "; the sync agent waits until " + name + " releases it")
                  .orElse(""));
    } else if (holder.isPresent()) {
      add(
          ACT,
          lease,
          "Held",
          "held by %s, while these flags elect no leader: stop it before the sync agent starts, or"
                  .formatted(holder.get())
              + " set --enable-leader-election");
    } else {
      add(
          CHANGES,
          lease,
          "NotElected",
          "these flags elect no leader: stop api-syncagent before the sync agent starts");
    }
  }

  private static boolean isRenewed(KubeObject lease, Instant now) {
    try {
      long seconds = lease.at("spec", "leaseDurationSeconds") instanceof Long lasts ? lasts : 0;
      return Instant.parse(lease.text("spec", "renewTime"))
          .plus(Duration.ofSeconds(seconds))
          .isAfter(now);
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private void publications() {
    String title = "APIExport/" + facts.exportName();
    if (facts.published().isEmpty()) {
      add(
          ACT,
          "flags",
          "NothingSelected",
          "there is no PublishedResource"
              + (facts.flags().selector().isEmpty()
                  ? ""
                  : " that --published-resource-selector selects"));
    }
    if (facts.export().isEmpty()) {
      add(ACT, title, "ExportNotFound", "it does not exist; create it");
      return;
    }
    KubeObject before = facts.export().get();
    var rendering =
        new ExportRendering(
            facts.flags().agentName(),
            new ExportRendering.Writer.Agent(facts.flags().publishing()),
            before,
            facts.schemas());
    for (Type type : facts.published()) {
      publication(type, rendering, before);
    }
    claims(title, before, rendering);
  }

  private void publication(Type type, ExportRendering rendering, KubeObject before) {
    switch (type.publication()) {
      case Publication.Rejected(var reason, var message) ->
          add(REFUSED, type.title(), reason, message + " Its objects are not synced until then.");
      case Publication.Unreadable(var message) -> add(REFUSED, type.title(), "Unreadable", message);
      case Publication.Ready ready -> {
        Optional<String> problem = rendering.publish(type.resource(), ready);
        if (problem.isPresent()) {
          changes.add(
              rendering.isExternal(ready)
                  ? new Change(ACT, type.title(), "External", problem.get())
                  : new Change(REFUSED, type.title(), "NotPublished", problem.get()));
        } else if (rendering.isExternal(ready)) {
          add(
              SAME,
              type.title(),
              "External",
              "publishing is External: others write its APIResourceSchema and the APIExport");
        } else {
          changes.add(schema(type.title(), ready, before));
        }
        originals(type.title(), ready);
      }
    }
  }

  /** The schema that the export lists, and that which it is going to list. */
  private Change schema(String title, Publication.Ready ready, KubeObject before) {
    ProjectedSchema wanted = ready.schema();
    Optional<String> listed =
        before.list("spec", "resources").stream()
            .filter(entry ->
                wanted.inKcp().resource().group().equals(Trees.at(entry, "group"))
                    && wanted.inKcp().resource().resource().equals(Trees.at(entry, "name")))
            .map(entry -> Trees.text(entry, "schema"))
            .findFirst();
    if (listed.equals(Optional.of(wanted.schemaName()))) {
      return new Change(SAME, title, "SchemaKept", "APIResourceSchema " + wanted.schemaName());
    }
    if (listed.isEmpty()) {
      return new Change(
          CHANGES,
          title,
          "SchemaAdded",
          "APIResourceSchema "
              + wanted.schemaName()
              + ": the APIExport does not list the type yet");
    }
    String instead =
        "APIResourceSchema %s in place of %s".formatted(wanted.schemaName(), listed.get());
    Optional<KubeObject> old =
        facts.schemas().stream().filter(each -> each.name().equals(listed.get())).findFirst();
    if (old.isEmpty()) {
      return new Change(CHANGES, title, "SchemaReplaced", instead + ", which does not exist");
    }
    List<SchemaChange> breaking = SchemaChange.breaking(old.get().map("spec"), wanted.spec());
    if (!breaking.isEmpty()) {
      return new Change(
          ACT,
          title,
          "SchemaBreaks",
          instead
              + ": the CustomResourceDefinition has changed since, and objects of consumers may be"
              + " refused or lose fields: "
              + listed(breaking.stream().map(SchemaChange::toString).toList()));
    }
    return new Change(
        CHANGES,
        title,
        "SchemaReplaced",
        instead
            + (SchemaChange.breaking(wanted.spec(), old.get().map("spec")).isEmpty()
                ? ": the same fields and validations, the programs name schemas differently"
                : ": the CustomResourceDefinition allows more since"));
  }

  private void originals(String title, Publication.Ready ready) {
    List<String> entries =
        ready.published().related().stream()
            .filter(entry -> entry.origin() == Side.KCP)
            .map(RelatedResource::identifier)
            .toList();
    if (!entries.isEmpty()) {
      add(
          CHANGES,
          title,
          "OriginalsFinalizer",
          "originals in kcp of related %s get a second finalizer, %s"
              .formatted(listed(entries), OriginalFinalizers.of(facts.flags().agentName()).own()));
    }
  }

  private void claims(String title, KubeObject before, ExportRendering rendering) {
    Set<String> added = new HashSet<>();
    for (ExportDiff diff : rendering.diffs()) {
      added.addAll(diff.claimsAdded());
    }
    int kept = before.list("spec", "permissionClaims").size();
    add(SAME, title, "ClaimsKept", kept + " permission claims stay, none is removed");
    List<Object> claims =
        rendering.export().list("spec", "permissionClaims").stream()
            .filter(claim -> added.contains(name(claim)))
            .toList();
    for (Object claim : claims) {
      List<KubeObject> lacking =
          facts.bindings().stream().filter(binding -> !accepts(binding, claim)).toList();
      String message = "permission claim on %s is added".formatted(name(claim));
      changes.add(
          lacking.isEmpty()
              ? new Change(CHANGES, title, "ClaimAdded", message)
              : new Change(
                  ACT,
                  title,
                  "ClaimAdded",
                  "%s; %d of %d APIBindings do not accept it: %s"
                      .formatted(
                          message,
                          lacking.size(),
                          facts.bindings().size(),
                          listed(lacking.stream().map(Titles::inWorkspace).toList()))));
    }
  }

  private static boolean accepts(KubeObject binding, Object claim) {
    return binding.list("spec", "permissionClaims").stream()
        .filter(each -> "Accepted".equals(Trees.at(each, "state")))
        .anyMatch(each ->
            name(each).equals(name(claim))
                && Objects.equals(
                    Trees.text(each, "identityHash"), Trees.text(claim, "identityHash")));
  }

  private static String name(Object claim) {
    String group = Trees.text(claim, "group");
    return Trees.text(claim, "resource") + (group.isEmpty() ? "" : "." + group);
  }

  /** Records of an earlier time with Mooring. */
  private void records() {
    long records =
        facts.secrets().stream()
            .filter(secret -> secret.name().startsWith("mooring-related-"))
            .count();
    // Without a state of the Go agent it has not run here since.
    if (records > 0
        && facts.secrets().stream().anyMatch(secret -> secret.name().startsWith("obj-state-"))) {
      add(
          ACT,
          "Secrets in namespace " + facts.flags().namespace(),
          "OldRecords",
          "%d Secrets mooring-related-… of an earlier time with Mooring outrank what api-syncagent"
                  .formatted(records)
              + " has written since; if it ran last, delete them: "
              + deleteSecrets("mooring-related-", facts.flags().namespace()));
    }
  }

  static String deleteSecrets(String prefix, String namespace) {
    return "kubectl get secrets -n %s -o name | grep /%s | xargs kubectl delete -n %s"
        .formatted(namespace, prefix, namespace);
  }

  private void definition() {
    if (!StatusFields.of(facts.definition()).equals(StatusFields.ALL)
        && facts
            .definition()
            .map(crd -> crd.list("spec", "versions"))
            .filter(versions -> versions.stream().noneMatch(AgentChanges::hasConditions))
            .isPresent()) {
      add(
          CHANGES,
          "CustomResourceDefinition/" + StatusFields.CRD,
          "OldDefinition",
          "it is api-syncagent's: PublishedResources show no conditions, and new fields are"
              + " pruned, until"
              + " charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml is"
              + " applied");
    }
  }

  private static boolean hasConditions(Object version) {
    Map<String, Object> status =
        Trees.map(version, "schema", "openAPIV3Schema", "properties", "status", "properties");
    return status.containsKey("conditions");
  }

  /** A few of them, and how many more there are. */
  static String listed(List<String> all) {
    return all.stream().limit(LISTED_MAX).collect(Collectors.joining(", "))
        + (all.size() > LISTED_MAX ? " and %d more".formatted(all.size() - LISTED_MAX) : "");
  }
}
