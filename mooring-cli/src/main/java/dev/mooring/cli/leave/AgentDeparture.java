package dev.mooring.cli.leave;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.leave.Step.Work;
import dev.mooring.cli.live.ExportConsumers.Seen;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.Types;
import dev.mooring.cli.published.AgentClusters;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.RecordSecretCodec;
import dev.mooring.syncagent.related.decide.OriginalFinalizers;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The steps by which a sync agent leaves. Copies come before finalizers: as long as a copy is to
 * go, its source keeps what makes the agent find it again.
 *
 * @param name as the agent's flags have it; so are the others
 */
record AgentDeparture(
    AgentClusters clusters, String name, String namespace, String selector, String apiGroup) {
  private static final String MARKED_AGAIN = "something else sets them again; is an agent running?";

  /** First: from then on the agent changes neither side. */
  Step syncing() {
    return Step.of(
        "syncing",
        "disable",
        PublishedResource.KIND,
        () -> resources().filter(seen -> !isDisabled(seen.object())),
        seen ->
            patch(
                PublishedResource.TYPE,
                seen,
                Map.of("spec", Map.of("synchronization", Map.of("enabled", false)))),
        "something sets spec.synchronization.enabled again, such as Argo CD or Flux; set it"
            + " there");
  }

  /** Of an agent that runs. */
  Step report() {
    return Step.of(
        "agent's report",
        "wait for",
        "condition Syncing of " + PublishedResource.KIND,
        () -> resources().filter(seen -> !reportsDisabled(seen.object())),
        _ -> {},
        "the agent has not reported that it stopped syncing; if it does not run any more, add"
            + " --agent-stopped");
  }

  List<Step> copies(Choice copies) {
    return switch (copies) {
      case keep ->
          List.of(
              new Step(
                  "copies",
                  "keep, without the agent's marks:",
                  () -> copyWorks(AgentDeparture::unmark),
                  "something else marks them again; is an agent of the same name running?"));
      case delete ->
          List.of(
              new Step(
                  "copies",
                  "delete",
                  () ->
                      copyWorks((type, copy) -> {
                        if (copy.object().annotation(SyncMarks.ADOPTED).isPresent()) {
                          unmark(type, copy);
                        } else {
                          Step.delete(type, copy);
                        }
                      }),
                  "finalizers of the service's own controllers hold them; see the copies"),
              new Step(
                  "copies of related objects",
                  "delete",
                  this::relatedWorks,
                  "finalizers hold them; see these objects"));
    };
  }

  /** Finalizers of consumers' objects, states, and the PublishedResources themselves. */
  List<Step> marks() {
    return List.of(
        new Step(
            "finalizers of consumers' objects", "remove from", this::sourceWorks, MARKED_AGAIN),
        new Step("finalizers of related objects", "remove from", this::originalWorks, MARKED_AGAIN),
        Step.deletion(
            "states",
            "Secret",
            Types.SECRETS,
            () -> secrets().map(secret -> new Seen(secret, clusters.service())),
            "something else writes them again; is an agent running?"),
        Step.deletion(
            "PublishedResources",
            PublishedResource.KIND,
            PublishedResource.TYPE,
            this::resources,
            "something else creates them again, such as Argo CD or Flux; remove them there"));
  }

  /** Last: consumers' objects go with the APIExport's bindings. */
  List<Step> export() {
    KubeClient workspace = clusters.workspace();
    return List.of(
        Step.of(
            "APIBindings",
            "wait for the deletion of",
            "APIBinding",
            () -> clusters.consumers().list(Types.API_BINDINGS).stream(),
            _ -> {},
            "consumers delete their APIBindings, and with them their objects; tell them"),
        Step.deletion(
            "APIResourceSchemas",
            "APIResourceSchema",
            Types.API_RESOURCE_SCHEMAS,
            () ->
                Step.at(
                    workspace,
                    Types.API_RESOURCE_SCHEMAS,
                    ListQuery.ALL.withLabels(SyncMarks.AGENT_NAME + "=" + name)),
            "kcp holds them"),
        Step.deletion(
            "APIExport",
            "APIExport",
            Types.API_EXPORTS,
            () ->
                workspace.find(Types.API_EXPORTS, "", clusters.exportName()).stream()
                    .map(export -> new Seen(export, workspace)),
            "kcp holds it"));
  }

  private Stream<Seen> resources() {
    return clusters.published(selector).stream()
        .map(resource -> new Seen(resource, clusters.service()));
  }

  private static boolean isDisabled(KubeObject resource) {
    return Boolean.FALSE.equals(resource.at("spec", "synchronization", "enabled"));
  }

  private static boolean reportsDisabled(KubeObject resource) {
    return resource.list("status", "conditions").stream()
        .anyMatch(condition ->
            "Syncing".equals(Trees.at(condition, "type"))
                && "False".equals(Trees.at(condition, "status"))
                && Long.valueOf(resource.generation())
                    .equals(Trees.at(condition, "observedGeneration")));
  }

  private List<Publication.Ready> types() {
    List<KubeObject> crds = Lists.all(clusters.service(), Types.CRDS, ListQuery.ALL);
    return clusters.published(selector).stream()
        .map(resource ->
            switch (clusters.publication(resource, crds, apiGroup)) {
              case Publication.Ready ready -> ready;
              case Publication.Rejected(var _, var message) -> throw unusable(resource, message);
              case Publication.Unreadable(var message) -> throw unusable(resource, message);
            })
        .toList();
  }

  /** Its copies cannot be found without its type. */
  private static CommandFailure unusable(KubeObject resource, String message) {
    return CommandFailure.badInput(
        "PublishedResource/%s cannot be used: %s Or delete it, if it never was."
            .formatted(resource.name(), message));
  }

  private List<Work> copyWorks(BiConsumer<ResourceType, Seen> action) {
    return types().stream()
        .map(ready -> ready.schema().onService().resource())
        .flatMap(type ->
            Step.at(clusters.service(), type, ListQuery.ALL.withLabels(SourceMarks.COPIES))
                .filter(copy -> isOwn(copy.object()))
                .map(copy ->
                    new Work(
                        type.resource() + "/" + copy.title(), () -> action.accept(type, copy))))
        .toList();
  }

  private boolean isOwn(KubeObject marked) {
    return SourceMarks.agentOf(marked).equals(Optional.of(name));
  }

  private static void unmark(ResourceType type, Seen copy) {
    patch(
        type,
        copy,
        Map.of(
            "metadata",
            Map.of(
                "labels", removal(copy.object().labels()),
                "annotations", removal(copy.object().annotations()))));
  }

  private static void patch(ResourceType type, Seen seen, Map<String, Object> change) {
    KubeObject object = seen.object();
    seen.workspace()
        .patch(type, object.namespace(), object.name(), ConditionalPatch.on(object, change));
  }

  private static Map<String, Object> removal(Map<String, String> marks) {
    var removal = new HashMap<String, Object>();
    marks.keySet().stream()
        .filter(key -> key.startsWith(SyncMarks.GROUP + "/"))
        .forEach(key -> removal.put(key, null));
    return removal;
  }

  /** Copies carry no marks: the agent's records say which it has made. */
  private List<Work> relatedWorks() {
    var codec = new RecordSecretCodec(namespace, name);
    Map<LogicalCluster, KubeClient> workspaces = clusters.consumers().workspaces();
    return secrets()
        .filter(codec::isOwn)
        .flatMap(secret -> codec.record(secret).stream())
        .flatMap(record ->
            Optional.ofNullable(
                record.copy().side() == Side.SERVICE
                    ? clusters.service()
                    : workspaces.get(record.copy().key().cluster()))
                .flatMap(client -> related(client, record))
                .stream())
        .toList();
  }

  private static Optional<Work> related(KubeClient client, RelatedRecord record) {
    ResourceType type = record.copy().type();
    try {
      return client
          .find(type, record.copy().namespace(), record.copy().name())
          .filter(record::isMadeAs)
          .map(copy -> new Seen(copy, client))
          .map(copy ->
              new Work(type.resource() + "/" + copy.title(), () -> Step.delete(type, copy)));
    } catch (KubeFailure failure) {
      if (failure.isAbsent() || failure.kind() == KubeFailure.Kind.FORBIDDEN) {
        return Optional.empty(); // the consumer's binding does not accept the claim
      }
      throw failure;
    }
  }

  private List<Work> sourceWorks() {
    return types().stream()
        .map(ready -> ready.schema().inKcp().resource())
        .flatMap(type ->
            freed(
                type,
                SyncMarks.FINALIZER,
                source -> source.withoutFinalizer(SyncMarks.FINALIZER).finalizers()))
        .toList();
  }

  private List<Work> originalWorks() {
    OriginalFinalizers ours = OriginalFinalizers.of(name);
    return types().stream()
        .flatMap(ready -> ready.published().related().stream())
        .filter(entry -> entry.origin() == Side.KCP)
        .map(RelatedResource::originalType)
        .distinct()
        .flatMap(type -> freed(type, ours.own(), ours::removedFrom))
        .toList();
  }

  /** Consumers' objects with a finalizer, each to be left with fewer. */
  private Stream<Work> freed(
      ResourceType type, String finalizer, Function<KubeObject, List<String>> left) {
    return clusters.consumers().list(type).stream()
        .filter(seen -> seen.object().hasFinalizer(finalizer))
        .map(seen ->
            new Work(
                type.resource() + "/" + seen.title(),
                () ->
                    patch(
                        type,
                        seen,
                        Map.of("metadata", Map.of("finalizers", left.apply(seen.object()))))));
  }

  /** The agent's own, and those that an api-syncagent before it left of the same types. */
  private Stream<KubeObject> secrets() {
    List<Publication.Ready> types = types();
    return clusters.secrets(namespace).stream()
        .filter(secret ->
            isOwn(secret)
                || types.stream()
                    .anyMatch(ready ->
                        new GoAgentState(secret).sourceOf(ready.schema().inKcp()).isPresent()));
  }
}
