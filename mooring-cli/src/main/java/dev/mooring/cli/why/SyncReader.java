package dev.mooring.cli.why;

import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.ServedType;
import dev.mooring.cli.live.Titles;
import dev.mooring.cli.live.Types;
import dev.mooring.cli.why.decide.AgentView;
import dev.mooring.cli.why.decide.Binding;
import dev.mooring.cli.why.decide.Fact;
import dev.mooring.cli.why.decide.Published;
import dev.mooring.cli.why.decide.RelatedObject;
import dev.mooring.cli.why.decide.SeenEvent;
import dev.mooring.cli.why.decide.SyncFacts;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.Nearest;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.lease.Share;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.Locator;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Gathers what the caller may read about one object and its copy.
 *
 * @param workspace of the consumer
 * @param path of the workspace, or the URL of what is none
 * @param service the service cluster, if the user names it
 * @param agent its management endpoints, if the user names them
 */
record SyncReader(
    KubeClient workspace, String path, Optional<KubeClient> service, Optional<Management> agent) {
  private static final ResourceType EVENTS = ResourceType.core("events");

  private static final int SIBLINGS_MAX = 500;

  /** As many failing objects the agent's status lists at most. */
  private static final int LISTED_MAX = 1000;

  /**
   * @param asked type as the user typed it
   */
  SyncFacts read(String asked, String namespace, String name) {
    Optional<ServedType> type = ServedType.named(workspace, asked);
    Optional<KubeObject> object =
        type.flatMap(served ->
            workspace.find(served.resource(), served.namespaced() ? namespace : "", name));
    Fact<List<Binding>> bindings =
        Reads.of(() -> list(workspace, Types.API_BINDINGS).map(Binding::new).toList());
    Fact<List<Published>> published = published(asked, type);
    Optional<Published> publication = published.value().flatMap(all -> all.stream().findFirst());
    Fact<List<KubeObject>> siblings =
        Reads.of(() -> type.map(served -> siblings(served.resource())).orElse(List.of()));
    return new SyncFacts(
        asked + " " + name,
        path,
        type,
        object,
        object.isPresent() ? Optional.empty() : meant(asked, name, type, siblings),
        bindings,
        siblings,
        Reads.of(() ->
            object
                .filter(found -> !found.namespace().isEmpty())
                .flatMap(found -> workspace.find(Types.NAMESPACES, "", found.namespace()))
                .map(KubeObject::labels)
                .orElse(Map.of())),
        Reads.of(() -> object.map(this::events).orElse(List.of())),
        published,
        copies(object, publication),
        object.map(found -> related(found, publication)).orElse(List.of()),
        agent(type, object),
        Instant.now());
  }

  /** In all namespaces; of many not all, which is enough to compare with. */
  private List<KubeObject> siblings(ResourceType type) {
    return workspace.list(type, ListQuery.ALL.withLimit(SIBLINGS_MAX)).items();
  }

  private Optional<String> meant(
      String asked, String named, Optional<ServedType> type, Fact<List<KubeObject>> siblings) {
    if (type.isEmpty()) {
      String name = GroupResource.parse(asked.toLowerCase(Locale.ROOT)).resource();
      return Nearest.to(name, ServedType.names(workspace));
    }
    List<KubeObject> known = siblings.value().orElse(List.of());
    return known.stream()
        .filter(each -> each.name().equals(named))
        .findFirst()
        .map(each -> named + " -n " + each.namespace())
        .or(() -> Nearest.to(named, known.stream().map(KubeObject::name).toList()));
  }

  private static Stream<KubeObject> list(KubeClient client, ResourceType type) {
    return client.list(type, ListQuery.ALL).items().stream();
  }

  /** Events of a cluster-scoped object are in {@code default}. */
  private List<SeenEvent> events(KubeObject object) {
    ListQuery about =
        ListQuery.ALL
            .inNamespace(object.namespace().isEmpty() ? "default" : object.namespace())
            .withFields("involvedObject.name=" + object.name());
    return workspace.list(EVENTS, about).items().stream()
        .filter(event -> event.text("involvedObject", "uid").equals(object.uid()))
        .map(SeenEvent::new)
        .sorted()
        .toList();
  }

  private Fact<List<Published>> published(String asked, Optional<ServedType> type) {
    return service
        .map(client ->
            Reads.of(() ->
                list(client, PublishedResource.TYPE)
                    .map(object -> object.with(PublishedResource.KIND, "kind"))
                    .filter(object -> publishes(object, asked, type))
                    .map(Published::new)
                    .sorted(Comparator.comparing(each -> each.status().state().isProblem()))
                    .toList()))
        .orElseGet(() ->
            new Fact.Unread<>(
                "name the service cluster with --service-kubeconfig or --service-context"));
  }

  /** By the published schema; before there is one, by name. */
  private static boolean publishes(KubeObject object, String asked, Optional<ServedType> type) {
    String schema = object.text("status", "resourceSchemaName");
    if (!schema.isEmpty()) {
      GroupResource published = GroupResource.parse(schema.substring(schema.indexOf('.') + 1));
      return type.map(served -> served.groupResource().equals(published))
          .orElseGet(() -> isCalled(object, asked, published.resource(), published.group()));
    }
    String group = object.text("spec", "projection", "group");
    String plural = object.text("spec", "projection", "plural");
    return isCalled(
        object,
        type.map(served -> served.resource().qualified()).orElse(asked),
        plural.isEmpty() ? kind(object) + "s" : plural,
        group.isEmpty() ? object.text("spec", "resource", "apiGroup") : group);
  }

  private static String kind(KubeObject object) {
    String projected = object.text("spec", "projection", "kind");
    return (projected.isEmpty() ? object.text("spec", "resource", "kind") : projected)
        .toLowerCase(Locale.ROOT);
  }

  private static boolean isCalled(KubeObject object, String asked, String plural, String group) {
    GroupResource name = GroupResource.parse(asked.toLowerCase(Locale.ROOT));
    return (name.group().isEmpty() || name.group().equals(group))
        && (name.resource().equals(plural) || name.resource().equals(kind(object)));
  }

  private Fact<List<KubeObject>> copies(
      Optional<KubeObject> object, Optional<Published> publication) {
    Optional<PublishedResource> published = publication.flatMap(Published::valid);
    Optional<ObjectKey> key = object.flatMap(SyncReader::key);
    if (published.isEmpty() || key.isEmpty()) {
      return new Fact.Unread<>("no PublishedResource of the type is known");
    }
    KubeClient client = service.orElseThrow();
    return Reads.of(() ->
        ServedType.ofKind(client, published.get().group(), published.get().kind()).stream()
            .flatMap(type ->
                client
                    .list(
                        type.resource(), ListQuery.ALL.withLabels(SourceMarks.selector(key.get())))
                    .items()
                    .stream())
            .toList());
  }

  /** Empty outside kcp. */
  static Optional<ObjectKey> key(KubeObject object) {
    return object
        .logicalCluster()
        .map(cluster -> new ObjectKey(cluster, object.namespace(), object.name()));
  }

  private List<RelatedObject> related(KubeObject object, Optional<Published> publication) {
    var all = new ArrayList<RelatedObject>();
    object
        .annotations()
        .forEach((annotation, value) -> {
          if (annotation.startsWith(SyncMarks.RELATED_PREFIX)) {
            String entry =
                annotation
                    .substring(SyncMarks.RELATED_PREFIX.length())
                    .replaceFirst("\\.\\d+$", "");
            annotated(entry, value).ifPresent(all::add);
          }
        });
    publication
        .flatMap(Published::valid)
        .ifPresent(published ->
            published.related().stream()
                .flatMap(entry -> referenced(entry, object))
                .filter(one -> all.stream().noneMatch(each -> each.object().equals(one.object())))
                .forEach(all::add));
    return all;
  }

  /** As the agent named it; empty for what no agent wrote. */
  private Optional<RelatedObject> annotated(String entry, String value) {
    KubeObject named;
    try {
      named = KubeJson.readObject(value.getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJson e) {
      return Optional.empty();
    }
    String apiVersion = named.apiVersion();
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String namespace = named.text("namespace");
    String name = named.text("name");
    return Optional.of(
        new RelatedObject(
            entry,
            "service",
            named.kind() + " " + Titles.of(namespace, name),
            Reads.of(() ->
                ServedType.ofKind(workspace, group, named.kind())
                    .flatMap(type -> workspace.find(type.resource(), namespace, name))
                    .isPresent())));
  }

  /** Of entries that name objects by a plain reference; others only the agent can evaluate. */
  private Stream<RelatedObject> referenced(RelatedResource entry, KubeObject object) {
    Optional<RelatedObject> unnamed = RelatedObject.unnamed(entry, object);
    if (unnamed.isPresent()
        || !(entry.name() instanceof Locator.Reference reference)
        || reference.rewrite().isPresent()
        || entry.namespace().isPresent()) {
      return unnamed.stream();
    }
    ResourceType type = entry.types().inKcp();
    String namespace = object.namespace();
    return RelatedObject.names(reference, object).stream()
        .map(name ->
            RelatedObject.of(
                entry,
                namespace,
                name,
                Reads.of(() -> workspace.find(type, namespace, name).isPresent())));
  }

  private Fact<AgentView> agent(Optional<ServedType> type, Optional<KubeObject> object) {
    if (agent.isEmpty()) {
      return new Fact.Unread<>("name the sync agent with --agent-url");
    }
    return switch (agent.get().get("status")) {
      case Management.Answer.Silent(var why) -> new Fact.Known<>(new AgentView.Silent(why));
      case Management.Answer.Answered answer when !answer.isOk() ->
          new Fact.Unread<>(answer.problem());
      case Management.Answer.Answered(_, var status) -> view(status, type, object);
    };
  }

  static Fact<AgentView> view(
      KubeObject status, Optional<ServedType> type, Optional<KubeObject> object) {
    var share =
        new Share(
            Optional.of(status.text("replica")), Set.copyOf(Trees.texts(status.at("replicas"))));
    Optional<String> owner = object.flatMap(KubeObject::logicalCluster).flatMap(share::owner);
    if (owner.isPresent() && !owner.equals(share.self())) {
      return new Fact.Unread<>(
          "replica " + owner.get() + " syncs the objects of this workspace; ask that one");
    }
    if (share.members().isEmpty()
        && Boolean.FALSE.equals(status.at("leads"))
        && status.list("reasons").isEmpty()) {
      return new Fact.Unread<>(
          "this replica does not lead; ask the leader, " + status.text("leader"));
    }
    String key = object.flatMap(SyncReader::key).map(ObjectKey::toString).orElse("");
    Optional<Object> sync =
        status.map("publishedResources").values().stream()
            .map(resource -> Trees.at(resource, "sync"))
            .filter(each ->
                type.map(served -> served.resource().toString().equals(Trees.at(each, "type")))
                    .orElse(false))
            .findFirst();
    Map<String, Object> failing =
        Trees.mapOrEmpty(sync.map(each -> Trees.at(each, "failing")).orElse(null));
    if (failing.size() >= LISTED_MAX && !failing.containsKey(key)) {
      return new Fact.Unread<>("more objects fail than its status lists");
    }
    return new Fact.Known<>(
        new AgentView.Answers(
            Trees.texts(status.at("reasons")),
            Optional.ofNullable(failing.get(key))
                .map(report ->
                    new AgentView.Report(
                        Trees.text(report, "outlook"),
                        Trees.text(report, "reason"),
                        Trees.text(report, "message"))),
            sync.map(each -> Trees.map(each, "relatedPending").get(key)).map(SyncReader::words)));
  }

  private static String words(Object pending) {
    return Trees.mapOrEmpty(pending).entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .reduce((a, b) -> a + ", " + b)
        .orElse(String.valueOf(pending));
  }
}
