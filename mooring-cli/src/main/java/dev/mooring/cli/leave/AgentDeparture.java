package dev.mooring.cli.leave;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.demo.Types;
import dev.mooring.cli.leave.Step.Work;
import dev.mooring.cli.live.ExportConsumers;
import dev.mooring.cli.live.ExportConsumers.Seen;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.published.LivePublication;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.record.RecordSecretCodec;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.sync.decide.OriginalFinalizers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The steps by which a sync agent leaves. Copies come before finalizers: as long as a copy is to
 * go, its source keeps what makes the agent find it again.
 *
 * @param workspace of the APIExport
 */
record AgentDeparture(
    Agent agent, KubeClient service, KubeClient workspace, KubeConnection kcp, KubeObject slice) {
  /** As the agent's flags name it. */
  record Agent(String name, String namespace, String selector, String apiGroup) {}

  /** What becomes of copies; in lower case, as users type it. */
  enum Copies {
    keep,
    delete
  }

  /** Whether the agent's word can be waited for. */
  enum Running {
    PERHAPS,
    STOPPED
  }

  /** First: from then on the agent changes neither side. */
  List<Step> syncing(Running running) {
    var steps = new ArrayList<Step>();
    steps.add(
        new Step(
            "syncing",
            "disable",
            () ->
                resources().stream()
                    .filter(resource -> !isDisabled(resource))
                    .map(resource -> new Work(title(resource), () -> disable(resource)))
                    .toList(),
            "something sets spec.synchronization.enabled again, such as Argo CD or Flux; set it"
                + " there"));
    if (running == Running.PERHAPS) {
      steps.add(
          new Step(
              "agent's report",
              "wait for",
              () ->
                  resources().stream()
                      .filter(resource -> !reportsDisabled(resource))
                      .map(resource -> Work.awaited("condition Syncing of " + title(resource)))
                      .toList(),
              "the agent has not reported that it stopped syncing; if it does not run any more, add"
                  + " --agent-stopped"));
    }
    return steps;
  }

  List<Step> copies(Copies copies) {
    return switch (copies) {
      case keep ->
          List.of(
              new Step(
                  "copies",
                  "keep, without the agent's marks:",
                  () -> copyWorks(this::unmark),
                  "something else marks them again; is an agent of the same name running?"));
      case delete ->
          List.of(
              new Step(
                  "records of api-syncagent",
                  "take over those of",
                  this::earlierWorks,
                  "the Secrets cannot be written; see the agent's namespace"),
              new Step(
                  "copies",
                  "delete",
                  () ->
                      copyWorks((type, copy) -> {
                        if (copy.annotation(SyncMarks.ADOPTED).isPresent()) {
                          unmark(type, copy);
                        } else {
                          Work.delete(service, type, copy);
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
            "finalizers of consumers' objects",
            "remove from",
            this::sourceWorks,
            "something else sets them again; is an agent running?"),
        new Step(
            "finalizers of related objects",
            "remove from",
            this::originalWorks,
            "something else sets them again; is an agent running?"),
        new Step(
            "states",
            "delete",
            () ->
                secrets().stream()
                    .map(secret ->
                        Work.deletion("Secret/" + secret.name(), service, Types.SECRETS, secret))
                    .toList(),
            "something else writes them again; is an agent running?"),
        new Step(
            "PublishedResources",
            "delete",
            () ->
                resources().stream()
                    .map(resource ->
                        Work.deletion(title(resource), service, PublishedResource.TYPE, resource))
                    .toList(),
            "something else creates them again, such as Argo CD or Flux; remove them there"));
  }

  /** Last: consumers' objects go with the APIExport's bindings. */
  List<Step> export(String name) {
    return List.of(
        new Step(
            "APIBindings",
            "wait for the deletion of",
            () ->
                consumers().list(Types.API_BINDINGS).stream()
                    .map(seen ->
                        Work.awaited(
                            "APIBinding/"
                                + seen.object().name()
                                + " in "
                                + seen.object()
                                    .annotation("kcp.io/path")
                                    .orElseGet(() -> seen.workspace().url().getPath())))
                    .toList(),
            "consumers delete their APIBindings, and with them their objects; tell them"),
        new Step(
            "APIResourceSchemas",
            "delete",
            () -> deletions(Types.API_RESOURCE_SCHEMAS, "APIResourceSchema"),
            "kcp holds them"),
        new Step(
            "APIExport",
            "delete",
            () ->
                workspace.find(Types.API_EXPORTS, "", name).stream()
                    .map(export ->
                        Work.deletion("APIExport/" + name, workspace, Types.API_EXPORTS, export))
                    .toList(),
            "kcp holds it"));
  }

  private List<Work> deletions(ResourceType type, String kind) {
    return Lists.all(
            workspace, type, ListQuery.ALL.withLabels(SyncMarks.AGENT_NAME + "=" + agent.name()))
        .stream()
        .map(object -> Work.deletion(kind + "/" + object.name(), workspace, type, object))
        .toList();
  }

  private List<KubeObject> resources() {
    return LivePublication.selected(service, agent.selector());
  }

  private static String title(KubeObject resource) {
    return "PublishedResource/" + resource.name();
  }

  private static boolean isDisabled(KubeObject resource) {
    return Boolean.FALSE.equals(resource.at("spec", "synchronization", "enabled"));
  }

  private void disable(KubeObject resource) {
    service.patch(
        PublishedResource.TYPE,
        "",
        resource.name(),
        ConditionalPatch.on(
            resource, Map.of("spec", Map.of("synchronization", Map.of("enabled", false)))));
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
    List<KubeObject> crds = Lists.all(service, Types.CRDS, ListQuery.ALL);
    return resources().stream()
        .map(resource ->
            switch (LivePublication.of(resource, crds, service, agent.apiGroup())) {
              case Publication.Ready ready -> ready;
              case Publication.Rejected(var _, var message) -> throw unusable(resource, message);
              case Publication.Unreadable(var message) -> throw unusable(resource, message);
            })
        .toList();
  }

  /** Its copies cannot be found without its type. */
  private static CommandFailure unusable(KubeObject resource, String message) {
    return CommandFailure.badInput(
        title(resource) + " cannot be used: " + message + " Or delete it, if it never was.");
  }

  /** Does something to one copy. */
  private interface CopyAction {
    void act(ResourceType type, KubeObject copy);
  }

  private List<Work> copyWorks(CopyAction action) {
    return types().stream()
        .map(ready -> ready.schema().onService().resource())
        .flatMap(type ->
            Lists.all(service, type, ListQuery.ALL.withLabels(SourceMarks.COPIES)).stream()
                .filter(copy -> SourceMarks.agentOf(copy).equals(Optional.of(agent.name())))
                .map(copy ->
                    new Work(type.resource() + "/" + place(copy), () -> action.act(type, copy))))
        .toList();
  }

  private void unmark(ResourceType type, KubeObject copy) {
    service.patch(
        type,
        copy.namespace(),
        copy.name(),
        ConditionalPatch.on(
            copy,
            Map.of(
                "metadata",
                Map.of(
                    "labels", removal(copy.labels()),
                    "annotations", removal(copy.annotations())))));
  }

  private static Map<String, Object> removal(Map<String, String> marks) {
    var removal = new HashMap<String, Object>();
    marks.keySet().stream()
        .filter(key -> key.startsWith(SyncMarks.GROUP + "/"))
        .forEach(key -> removal.put(key, null));
    return removal;
  }

  /** Before the copies go: a primary and its copy name what belongs to them. */
  private List<Work> earlierWorks() {
    var earlier =
        new EarlierCopies(
            new RecordSecretCodec(agent.namespace(), agent.name()),
            service,
            consumers().workspaces(),
            secrets());
    return types().stream().flatMap(type -> earlier.unrecorded(type).stream()).toList();
  }

  /** Copies carry no marks: the agent's records say which it has made. */
  private List<Work> relatedWorks() {
    var codec = new RecordSecretCodec(agent.namespace(), agent.name());
    Map<LogicalCluster, KubeClient> workspaces = consumers().workspaces();
    return secrets().stream()
        .filter(codec::isOwn)
        .flatMap(secret -> codec.record(secret).stream())
        .flatMap(record ->
            Optional.ofNullable(
                record.copy().side() == Side.SERVICE
                    ? service
                    : workspaces.get(record.copy().cluster()))
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
          .map(copy -> Work.deletion(type.resource() + "/" + place(copy), client, type, copy));
    } catch (KubeFailure failure) {
      if (failure.isAbsent() || failure.kind() == KubeFailure.Kind.FORBIDDEN) {
        return Optional.empty(); // the consumer's binding does not accept the claim
      }
      throw failure;
    }
  }

  private List<Work> sourceWorks() {
    ExportConsumers consumers = consumers();
    return types().stream()
        .map(ready -> ready.schema().inKcp().resource())
        .flatMap(type ->
            consumers.list(type).stream()
                .filter(seen -> seen.object().hasFinalizer(SyncMarks.FINALIZER))
                .map(seen ->
                    finalizers(
                        type,
                        seen,
                        seen.object().withoutFinalizer(SyncMarks.FINALIZER).finalizers())))
        .toList();
  }

  private List<Work> originalWorks() {
    ExportConsumers consumers = consumers();
    OriginalFinalizers ours = OriginalFinalizers.of(agent.name());
    return types().stream()
        .flatMap(ready -> ready.published().related().stream())
        .filter(entry -> entry.origin() == Side.KCP)
        .map(RelatedResource::originalType)
        .distinct()
        .flatMap(type ->
            consumers.list(type).stream()
                .filter(seen -> seen.object().hasFinalizer(ours.own()))
                .map(seen -> finalizers(type, seen, ours.removedFrom(seen.object()))))
        .toList();
  }

  private static Work finalizers(ResourceType type, Seen seen, List<String> left) {
    return new Work(
        type.resource() + "/" + seen.title(),
        () ->
            seen.workspace()
                .patch(
                    type,
                    seen.object().namespace(),
                    seen.object().name(),
                    ConditionalPatch.on(
                        seen.object(), Map.of("metadata", Map.of("finalizers", left)))));
  }

  /** The agent's own, and those that an api-syncagent before it left of the same types. */
  private List<KubeObject> secrets() {
    List<Publication.Ready> types = types();
    return Stream.of(SyncMarks.OBJECT_STATE, SourceMarks.RECORD_LABEL)
        .flatMap(label ->
            Lists.all(
                service,
                Types.SECRETS,
                ListQuery.ALL.inNamespace(agent.namespace()).withLabels(label))
                .stream())
        .filter(secret ->
            SourceMarks.agentOf(secret).equals(Optional.of(agent.name()))
                || types.stream()
                    .anyMatch(ready ->
                        new GoAgentState(secret).sourceOf(ready.schema().inKcp()).isPresent()))
        .toList();
  }

  private ExportConsumers consumers() {
    return ExportConsumers.of(kcp, List.of(slice), EndpointOverrides.NONE);
  }

  private static String place(KubeObject object) {
    return (object.namespace().isEmpty() ? "" : object.namespace() + "/") + object.name();
  }
}
