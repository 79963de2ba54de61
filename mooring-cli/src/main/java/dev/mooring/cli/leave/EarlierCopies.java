package dev.mooring.cli.leave;

import dev.mooring.cli.demo.Types;
import dev.mooring.cli.leave.Step.Work;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.ServedType;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.RecordSecretCodec;
import dev.mooring.syncagent.related.record.decide.NamespacedName;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.Ownership;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.decide.Candidates;
import dev.mooring.syncagent.related.resolve.decide.RelatedPair;
import dev.mooring.syncagent.related.resolve.decide.RelatedResolver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Copies of related objects that an api-syncagent made, and the sync agent never recorded: the
 * state of a primary says which originals were copied, and the primary names the copies. Once they
 * are recorded, they are found without the primary.
 *
 * @param workspaces of consumers
 */
record EarlierCopies(
    RecordSecretCodec codec,
    KubeClient service,
    Map<LogicalCluster, KubeClient> workspaces,
    List<KubeObject> secrets) {

  /** Each is a record to write. */
  List<Work> unrecorded(Publication.Ready type) {
    return type.published().related().isEmpty()
        ? List.of()
        : secrets.stream()
            .map(GoAgentState::new)
            .flatMap(state ->
                state.sourceOf(type.schema().inKcp()).stream()
                    .flatMap(source -> of(type, state, source)))
            .toList();
  }

  private Stream<Work> of(Publication.Ready type, GoAgentState state, ObjectKey source) {
    ResourceType inKcp = type.schema().inKcp().resource();
    Optional<KubeObject> copy =
        Lists.all(
                service,
                type.schema().onService().resource(),
                ListQuery.ALL.withLabels(SourceMarks.selector(source)))
            .stream()
            .findFirst();
    if (copy.isEmpty()) {
      return Stream.of();
    }
    return Optional.ofNullable(workspaces.get(source.cluster())).stream()
        .flatMap(workspace ->
            workspace
                .find(inKcp, source.namespace(), source.name())
                .map(primary ->
                    new Sides(
                        workspace,
                        service,
                        new Primaries(source.cluster(), Optional.empty(), primary, copy.get())))
                .stream())
        .flatMap(sides ->
            type.published().related().stream()
                .flatMap(entry -> records(entry, type, state, source, sides)))
        .filter(record -> !isRecorded(record))
        .map(record ->
            new Work(
                record.copy().type().resource()
                    + "/"
                    + (record.copy().namespace().isEmpty() ? "" : record.copy().namespace() + "/")
                    + record.copy().name(),
                () -> service.create(Types.SECRETS, codec.secret(record))));
  }

  /** A primary, and where its related objects are. */
  private record Sides(KubeClient inKcp, KubeClient onService, Primaries primaries) {
    KubeClient on(Side side) {
      return side == Side.KCP ? inKcp : onService;
    }
  }

  private static Stream<RelatedRecord> records(
      RelatedResource entry,
      Publication.Ready type,
      GoAgentState state,
      ObjectKey source,
      Sides sides) {
    Optional<ServedType> original = served(sides.on(entry.origin()), entry.originalType());
    Optional<ServedType> copy = served(sides.on(entry.origin().other()), entry.copyType());
    if (original.isEmpty() || copy.isEmpty()) {
      return Stream.of();
    }
    var scopes = new RelatedResolver.Scopes(scope(original.get()), scope(copy.get()));
    var owner =
        new RecordOwner(type.schema().inKcp().resource().qualified(), source, entry.identifier());
    return RelatedResolver.resolve(
            entry, sides.primaries(), scopes, new Live(sides.on(entry.origin()), entry))
        .pairs()
        .stream()
        .flatMap(pair -> record(entry, pair, original.get(), state, owner, sides).stream());
  }

  private static Optional<RelatedRecord> record(
      RelatedResource entry,
      RelatedPair pair,
      ServedType original,
      GoAgentState state,
      RecordOwner owner,
      Sides sides) {
    ObjectRef from = ref(entry.origin(), entry.originalType(), owner, pair.original());
    ObjectRef to = ref(entry.origin().other(), entry.copyType(), owner, pair.copy());
    return state
        .find(new StateKey(from.type().apiVersion(), original.kind(), from.key()))
        .flatMap(content ->
            sides
                .on(to.side())
                .find(to.type(), to.namespace(), to.name())
                .map(there ->
                    new RelatedRecord(owner, from, to, Ownership.MADE, content, there.uid())));
  }

  private static ObjectRef ref(
      Side side, ResourceType type, RecordOwner owner, NamespacedName name) {
    return new ObjectRef(
        side, type, side == Side.KCP ? owner.primary().cluster() : LogicalCluster.NONE, name);
  }

  private boolean isRecorded(RelatedRecord record) {
    Set<String> names = secrets.stream().map(KubeObject::name).collect(Collectors.toSet());
    return names.contains(codec.name(record));
  }

  private static Optional<ServedType> served(KubeClient client, ResourceType type) {
    return ServedType.named(client, type.qualified());
  }

  private static Scope scope(ServedType type) {
    return type.namespaced() ? Scope.NAMESPACED : Scope.CLUSTER;
  }

  /** What selectors choose from. */
  private record Live(KubeClient origin, RelatedResource entry) implements Candidates {
    @Override
    public List<KubeObject> namespaces() {
      return Lists.all(origin, Types.NAMESPACES, ListQuery.ALL);
    }

    @Override
    public List<KubeObject> objects(String namespace) {
      return Lists.all(origin, entry.originalType(), ListQuery.ALL.inNamespace(namespace));
    }
  }
}
