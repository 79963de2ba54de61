package dev.mooring.cli.why;

import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.cli.why.decide.Binding;
import dev.mooring.cli.why.decide.DeletionFacts;
import dev.mooring.cli.why.decide.DryRun;
import dev.mooring.cli.why.decide.Fact;
import dev.mooring.cli.why.decide.Mention;
import dev.mooring.cli.why.decide.RuleView;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.access.RightsReviewer;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gathers what the caller may read about the deletion of one object. The deletion itself is asked
 * for with {@code dryRun}: the API server and the dependency webhook answer as to a real one.
 *
 * @param workspaces of providers, by path
 * @param webhook its management endpoints, if the user names them
 * @param target the object
 */
record DeletionReader(
    KubeClient workspace,
    Function<WorkspacePath, KubeClient> workspaces,
    Optional<Management> webhook,
    ServedType type,
    KubeObject target) {
  /** More dependents are not named. */
  private static final int DEPENDENTS_MAX = 10;

  private static final int PAGE = 500;

  DeletionFacts read(List<Binding> bindings) {
    var unread = new ArrayList<String>();
    Map<String, List<Binding>> byProvider =
        bindings.stream()
            .filter(binding -> !binding.provider().isEmpty())
            .collect(Collectors.groupingBy(Binding::provider, TreeMap::new, Collectors.toList()));
    List<RuleView> rules =
        byProvider.entrySet().stream()
            .flatMap(each -> rules(each.getKey(), each.getValue(), unread))
            .toList();
    return new DeletionFacts(
        type,
        target,
        dryRun(),
        rules,
        unread,
        bindings.stream().flatMap(this::mentions).toList(),
        may(workspace, "patch", type.resource(), target),
        webhook
            .map(this::said)
            .orElseGet(() -> new Fact.Unread<>("name the dependency webhook with --webhook-url")));
  }

  /** Objects of the bound types that have the object's name where its kind is meant. */
  private Stream<Mention> mentions(Binding binding) {
    return binding.resources().stream()
        .flatMap(resource ->
            Reads.of(() ->
                ServedType.named(workspace, resource.toString()).stream()
                    .flatMap(served ->
                        workspace
                            .list(served.resource(), ListQuery.ALL.withLimit(PAGE))
                            .items()
                            .stream()
                            .flatMap(object ->
                                Mention.of(binding.exportTitle(), served, object, type, target)
                                    .stream()))
                    .toList())
                .value()
                .stream())
        .flatMap(List::stream)
        .limit(DEPENDENTS_MAX);
  }

  private DryRun dryRun() {
    try {
      workspace.delete(
          type.resource(), target.namespace(), target.name(), new DeleteCondition.DryRun());
      return new DryRun.Allowed();
    } catch (KubeFailure failure) {
      if (failure.code() == 0) {
        throw failure;
      }
      return failure.isMissingRight()
          ? new DryRun.NotPermitted(failure.said())
          : new DryRun.Refused(failure.said());
    }
  }

  /** Those that one provider wrote about the type, as far as they concern the workspace. */
  private Stream<RuleView> rules(String path, List<Binding> bindings, List<String> unread) {
    List<KubeObject> rules;
    try {
      rules =
          workspaces
              .apply(new WorkspacePath(path))
              .list(DependencyRule.TYPE, ListQuery.ALL)
              .items();
    } catch (KubeFailure failure) {
      // A provider without rules need not bind their API.
      if (failure.kind() != KubeFailure.Kind.NOT_SERVED) {
        unread.add("rules in " + path + " not read: " + failure.said());
      }
      return Stream.of();
    }
    Binding binding = bindings.getFirst();
    return rules.stream()
        .map(rule -> rule.with(DependencyRule.KIND, "kind"))
        .filter(rule ->
            // A rule of an export that does not exist may have been meant for a bound one.
            ObjectStatus.of(rule).state().isProblem()
                || bindings.stream()
                    .anyMatch(each ->
                        each.export().equals(rule.text("spec", "dependent", "apiExportName"))))
        .flatMap(rule ->
            switch (DependencyRuleReader.read(rule)) {
              case RuleReading.Valid(var valid) -> views(binding, rule, valid);
              case RuleReading.Invalid _ ->
                  concerns(rule) ? Stream.of(broken(binding, rule)) : Stream.of();
            });
  }

  private Stream<RuleView> views(Binding binding, KubeObject object, DependencyRule rule) {
    List<RuleView> exact =
        rule.dependencies().stream()
            .filter(each -> GroupResource.of(each.target()).equals(type.groupResource()))
            .map(each -> view(binding, object, rule, each))
            .toList();
    return exact.isEmpty() && concerns(object) && ObjectStatus.of(object).state().isProblem()
        ? Stream.of(broken(binding, object))
        : exact.stream();
  }

  /** Whether a rule that does not name the type may have meant it. */
  private boolean concerns(KubeObject rule) {
    return rule.list("spec", "dependencies").stream()
        .anyMatch(each ->
            type.resource().group().equals(Trees.at(each, "group"))
                || type.resource().resource().equals(Trees.at(each, "resource")));
  }

  private static RuleView broken(Binding binding, KubeObject rule) {
    return new RuleView(
        rule.name(),
        binding.provider(),
        ObjectStatus.of(rule),
        rule.text("spec", "dependent", "resource"),
        "",
        "Deny",
        Bypass.ANNOTATION.text(),
        "",
        new Fact.Unread<>("the rule is not in force"),
        new Fact.Known<>(true));
  }

  private RuleView view(
      Binding binding, KubeObject object, DependencyRule rule, Dependency dependency) {
    WorkspacePath provider = dependency.export().path();
    return new RuleView(
        object.name(),
        binding.provider(),
        ObjectStatus.of(object),
        rule.dependent().type().qualified(),
        dependency.field().text(),
        rule.enforcement().mode().text(),
        rule.enforcement().bypass().text(),
        provider.value(),
        Reads.of(() -> dependents(rule, dependency)),
        rule.enforcement().bypass() == Bypass.ANNOTATION
            ? new Fact.Known<>(true)
            : may(workspaces.apply(provider), "bypass", DependencyRule.TYPE, object));
  }

  /** Whether the caller may do it with the object. */
  private static Fact<Boolean> may(
      KubeClient client, String verb, ResourceType type, KubeObject object) {
    var right = new Right(verb, type.group(), type.resource(), object.namespace(), object.name());
    return Reads.of(() -> RightsReviewer.allowed(client, right));
  }

  private List<String> dependents(DependencyRule rule, Dependency dependency) {
    Optional<ObjectKey> key = SyncReader.key(target);
    if (key.isEmpty()) {
      return List.of();
    }
    var meant = new Target(type.groupResource(), key.get());
    ReferenceReader reader = rule.reader(dependency);
    var found = new TreeSet<String>();
    String token = "";
    do {
      var page =
          workspace.list(rule.dependent().type(), ListQuery.ALL.withLimit(PAGE).after(token));
      page.items().stream()
          .filter(dependent -> reader.read(dependent).mayMean(meant))
          .forEach(dependent -> found.add(dependent.kind() + "/" + dependent.name()));
      token = page.continueToken();
    } while (!token.isEmpty() && found.size() < DEPENDENTS_MAX);
    return found.stream().limit(DEPENDENTS_MAX).toList();
  }

  /** What the webhook itself says, for its operator. */
  private Fact<List<String>> said(Management management) {
    Optional<ObjectKey> key = SyncReader.key(target);
    if (key.isEmpty()) {
      return new Fact.Unread<>("the object is in no workspace of kcp");
    }
    String query =
        "blockers?cluster=%s&resource=%s&name=%s%s"
            .formatted(
                key.get().cluster(),
                encoded(type.resource().qualified()),
                encoded(target.name()),
                target.namespace().isEmpty() ? "" : "&namespace=" + encoded(target.namespace()));
    return switch (management.get(query)) {
      case Management.Answer.Silent(var why) ->
          new Fact.Known<>(List.of("the dependency webhook: " + why));
      case Management.Answer.Answered answer when !answer.isOk() ->
          new Fact.Unread<>(answer.problem());
      case Management.Answer.Answered(_, var blockers) ->
          new Fact.Known<>(
              List.of(
                  "the dependency webhook: "
                      + Stream.of(
                              blockers.text("deletion"),
                              blockers.text("reason"),
                              blockers.text("message"),
                              String.join(", ", Trees.texts(blockers.at("deniedBy"))))
                          .filter(text -> !text.isEmpty())
                          .reduce((a, b) -> a + "; " + b)
                          .orElse("")));
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
