package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.syncagent.content.StateKey;
import dev.mooring.syncagent.published.Locator;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.RelatedRegistry;
import dev.mooring.syncagent.related.record.PendingCopies;
import dev.mooring.syncagent.related.record.decide.NamespacedName;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.Area;
import dev.mooring.syncagent.related.resolve.Primary;
import dev.mooring.syncagent.related.resolve.ReadSet;
import dev.mooring.syncagent.related.resolve.RelatedCaches;
import dev.mooring.syncagent.related.resolve.Search;
import dev.mooring.syncagent.related.resolve.TypeDiscovery;
import dev.mooring.syncagent.related.resolve.decide.RelatedResolver;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.share.decide.OtherOwners;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.CopyNamespace;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.Provenance;
import dev.mooring.syncagent.related.sync.decide.OriginalFinalizers;
import dev.mooring.syncagent.related.sync.decide.RelatedGathering;
import dev.mooring.syncagent.related.sync.decide.RelatedSet;
import dev.mooring.syncagent.related.sync.decide.Sightings;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Gathers what decisions about one entry beside one primary need, from caches. */
public final class RelatedReader {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final RelatedRegistry registry;
  private final RelatedCaches objects;
  private final PendingCopies pendingCopies;
  private final RelatedRules rules;
  private final String primaryType;
  private final Predicate<String> holdsPrimaries;

  /**
   * @param holdsPrimaries whether a Namespace of the service cluster has copies of primaries
   */
  public RelatedReader(
      RelatedRegistry registry,
      PendingCopies pendingCopies,
      RelatedRules rules,
      Predicate<String> holdsPrimaries) {
    this.registry = registry;
    this.objects = registry.objects();
    this.pendingCopies = pendingCopies;
    this.rules = rules;
    this.primaryType = rules.primaryType().qualified();
    this.holdsPrimaries = holdsPrimaries;
  }

  public RecordOwner owner(RelatedResource entry, ObjectKey primary) {
    return new RecordOwner(primaryType, primary, entry.identifier());
  }

  /** Lists take a while: so that they are there with the first object. */
  public void open(RelatedResource entry) {
    registry.records();
    for (Side side : Side.values()) {
      objects.open(side, entry.types().on(side));
      objects.open(side, NAMESPACES);
    }
  }

  /** Whether everything that decisions about the entry need has been listed. */
  public boolean isSynced(RelatedResource entry, Optional<URI> endpoint) {
    return objects.isSyncedInKcp(entry.types().inKcp(), endpoint)
        && objects.isSyncedInKcp(NAMESPACES, endpoint)
        && objects.isSyncedOnService(entry.types().onService())
        && objects.isSyncedOnService(NAMESPACES)
        && registry.records().isSynced();
  }

  /** As {@link #isSynced(RelatedResource, Optional)}, with what is recorded of other types. */
  public boolean isSynced(RelatedResource entry, ObjectKey primary, Optional<URI> endpoint) {
    return isSynced(entry, endpoint)
        && refs(entry, primary)
            .allMatch(ref ->
                switch (ref.side()) {
                  case SERVICE -> objects.isSyncedOnService(ref.type());
                  case KCP -> objects.isSyncedInKcp(ref.type(), endpoint);
                });
  }

  /** Whether what is recorded has been listed, wherever the primary was. */
  public boolean isSynced(RelatedResource entry, ObjectKey primary) {
    return objects.isSyncedOnService(NAMESPACES)
        && registry.records().isSynced()
        && refs(entry, primary)
            .allMatch(ref ->
                switch (ref.side()) {
                  case SERVICE -> objects.isSyncedOnService(ref.type());
                  case KCP -> objects.isSyncedInKcp(ref.type());
                });
  }

  /**
   * Why what {@link #isSynced} asks for cannot be listed; empty if nothing is known to be wrong.
   */
  public Optional<KubeFailure> failure(RelatedResource entry, ObjectKey primary) {
    return failure(entry)
        .or(() ->
            refs(entry, primary)
                .flatMap(ref -> objects.lastFailure(ref.side(), ref.type()).stream())
                .findFirst())
        .or(() -> registry.records().lastFailure());
  }

  private Optional<KubeFailure> failure(RelatedResource entry) {
    return objects
        .lastFailure(Side.KCP, entry.types().inKcp())
        .or(() -> objects.lastFailure(Side.SERVICE, entry.types().onService()));
  }

  /**
   * Nothing is recorded, and there is no such type: so there is nothing of it.
   *
   * @throws KubeFailure if the virtual workspace does not tell
   */
  public boolean isOfNoType(RelatedResource entry, ObjectKey primary, KubeClient workspace) {
    return records(entry, primary).isEmpty()
        && (isNotServed(Side.SERVICE, entry)
            || isNotServed(Side.KCP, entry)
                && PermissionClaims.isUnserved(workspace, entry.types().inKcp()));
  }

  private boolean isNotServed(Side side, RelatedResource entry) {
    return objects
        .lastFailure(side, entry.types().on(side))
        .filter(failure -> failure.kind() == KubeFailure.Kind.NOT_SERVED)
        .isPresent();
  }

  /** What is recorded for the entry, as it is read by now. */
  public List<RelatedRecord> records(RelatedResource entry, ObjectKey primary) {
    return registry.records().of(owner(entry, primary)).stream()
        .map(record -> record.readAs(entry.types()))
        .toList();
  }

  private Stream<ObjectRef> refs(RelatedResource entry, ObjectKey primary) {
    return records(entry, primary).stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()));
  }

  /**
   * What is left of entries that are no longer there: by their records, and the notes on the
   * primary.
   *
   * @param primary in kcp
   */
  public List<RelatedResource> former(ObjectKey key, KubeObject primary) {
    Set<String> current =
        rules.entries().stream().map(RelatedResource::identifier).collect(Collectors.toSet());
    var former = new TreeMap<String, RelatedResource>();
    RelatedGathering.noted(primary)
        .forEach(identifier -> former.put(identifier, noted(identifier)));
    for (RelatedRecord record : registry.records().ofPrimary(primaryType, key)) {
      former.put(record.owner().identifier(), record.entry());
    }
    former.keySet().removeAll(current);
    return List.copyOf(former.values());
  }

  /** Entries of which something is recorded, as they are, or as they were. */
  public List<RelatedResource> recorded(ObjectKey key) {
    var recorded = new TreeMap<String, RelatedResource>();
    for (RelatedRecord record : registry.records().ofPrimary(primaryType, key)) {
      recorded.put(record.owner().identifier(), record.entry());
    }
    rules.entries().forEach(entry -> recorded.replace(entry.identifier(), entry));
    return List.copyOf(recorded.values());
  }

  /** Of which nothing but the note is left: no object of any type. */
  private static RelatedResource noted(String identifier) {
    return RelatedResource.former(
        identifier, Side.SERVICE, new RelatedResource.Types(NAMESPACES, NAMESPACES));
  }

  /** A primary of which nothing but its name is known any more. */
  public Primary gone(ObjectKey key) {
    var metadata = new HashMap<String, Object>();
    metadata.put("name", key.name());
    metadata.put("deletionTimestamp", "unknown");
    if (!key.namespace().isEmpty()) {
      metadata.put("namespace", key.namespace());
    }
    return new Primary(
        key, KubeObject.of(Map.of("metadata", metadata)), Optional.empty(), Optional.empty());
  }

  /**
   * A client for the workspace of a primary that is gone: by the endpoint that shows what is
   * recorded of it there, or any if none does; empty if there is none.
   */
  public Optional<KubeClient> workspaceOf(ObjectKey primary, ConsumerView primaries) {
    return registry.records().ofPrimary(primaryType, primary).stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()))
        .flatMap(ref -> objects.clientFor(ref).stream())
        .findFirst()
        .or(() -> primaries.clientsFor(primary.cluster()).stream().findFirst());
  }

  /**
   * The types in kcp of which the consumer must hide nothing.
   *
   * @param primary beside which something may be recorded of further types
   */
  public Set<ResourceType> typesInKcp(RelatedResource entry, ObjectKey primary) {
    return Stream.concat(
            Stream.of(entry.types().inKcp()),
            refs(entry, primary).filter(ref -> ref.side() == Side.KCP).map(ObjectRef::type))
        .collect(Collectors.toSet());
  }

  /** Whether Namespaces in kcp decide which objects the entry means. */
  public static boolean selectsNamespaces(RelatedResource entry) {
    return entry.origin() == Side.KCP
        && entry.namespace().filter(Locator.Selector.class::isInstance).isPresent();
  }

  /**
   * What is recorded, where nothing is called for: the primary is gone, or the entry is.
   *
   * @param visibility of the types in kcp
   */
  public Gathered gatherRecorded(RelatedResource entry, Primary seen, ClaimVisibility visibility) {
    var resolution =
        new Resolution(
            List.of(), Set.of(), new Resolution.Outcome.Pending("nothing is called for"));
    var entryRules =
        new CopySnapshot.Rules(
            entry,
            // What is only removed needs no kind.
            entry.copyType().resource(),
            StatusSubresource.ABSENT,
            rules.adoption(),
            OriginalFinalizers.of(registry.agentName()),
            visibility);
    RecordOwner owner = owner(entry, seen.key());
    var sightings = new Cached(entry, seen, entry.originalType().resource());
    RelatedSet set =
        new RelatedGathering(entryRules, owner, seen.inKcp(), sightings).gather(resolution);
    return new Gathered(set, resolution, new ReadSet(sightings.looked, Set.of()));
  }

  /** Which objects the entry means; nothing while there is no copy of the primary. */
  public Resolution resolve(RelatedResource entry, Primary seen, KubeClient workspace) {
    if (seen.onService().isEmpty()) {
      return new Resolution(
          List.of(), Set.of(), new Resolution.Outcome.Pending("the primary has no copy"));
    }
    Side origin = entry.origin();
    return RelatedResolver.resolve(
        entry,
        new Primaries(seen.key().cluster(), seen.path(), seen.inKcp(), seen.onService().get()),
        new RelatedResolver.Scopes(
            registry.facts(origin, entry.originalType(), workspace).scope(),
            registry.facts(origin.other(), entry.copyType(), workspace).scope()),
        objects.candidates(origin, entry.originalType(), seen.key().cluster()));
  }

  /**
   * @param visibility of the types in kcp
   * @param ofNamespaces in kcp, where they are selected
   * @throws KubeFailure if a type cannot be looked up
   */
  public Gathered gather(
      RelatedResource entry,
      Primary seen,
      ClaimVisibility visibility,
      ClaimVisibility ofNamespaces,
      KubeClient workspace) {
    Resolution resolution = narrowed(resolve(entry, seen, workspace), ofNamespaces);
    TypeDiscovery.TypeInfo copyFacts =
        registry.facts(entry.origin().other(), entry.copyType(), workspace);
    var entryRules =
        new CopySnapshot.Rules(
            entry,
            copyFacts.kind(),
            copyFacts.status(),
            rules.adoption(),
            OriginalFinalizers.of(registry.agentName()),
            visibility);
    RecordOwner owner = owner(entry, seen.key());
    var sightings =
        new Cached(
            entry, seen, registry.facts(entry.origin(), entry.originalType(), workspace).kind());
    RelatedSet set =
        new RelatedGathering(entryRules, owner, seen.inKcp(), sightings).gather(resolution);
    return new Gathered(
        set, resolution, new ReadSet(sightings.looked, searches(entry, seen, resolution)));
  }

  /** A selector may match Namespaces that are not seen. */
  private static Resolution narrowed(Resolution resolution, ClaimVisibility ofNamespaces) {
    return ofNamespaces instanceof ClaimVisibility.Partial(var why)
        ? resolution.unclear(ClaimVisibility.NARROWED, why)
        : resolution;
  }

  private static ObjectRef namespaceOf(ObjectRef copy) {
    return new ObjectRef(
        copy.side(), NAMESPACES, copy.cluster(), new NamespacedName("", copy.namespace()));
  }

  private static Set<Search> searches(RelatedResource entry, Primary seen, Resolution resolution) {
    Side origin = entry.origin();
    LogicalCluster cluster = origin == Side.KCP ? seen.key().cluster() : LogicalCluster.NONE;
    return resolution.selections().stream()
        .map(selection ->
            new Search(
                new Area(origin, selection.type(), cluster, selection.namespace()),
                selection.labels()))
        .collect(Collectors.toSet());
  }

  /** Answers from caches, and remembers what was asked for. */
  private final class Cached implements Sightings {
    private final RelatedResource entry;
    private final RecordOwner owner;
    private final KubeObject primary;
    private final String originalKind;
    private final Set<ObjectRef> looked = new HashSet<>();

    /**
     * @param originalKind of the entry's originals
     */
    Cached(RelatedResource entry, Primary seen, String originalKind) {
      this.entry = entry;
      this.owner = owner(entry, seen.key());
      this.primary = seen.inKcp();
      this.originalKind = originalKind;
    }

    @Override
    public Optional<KubeObject> original(ObjectRef ref) {
      looked.add(ref);
      return objects.find(ref);
    }

    @Override
    public Optional<KubeObject> copy(ObjectRef ref) {
      looked.add(ref);
      return pendingCopies.newest(ref, objects.find(ref));
    }

    @Override
    public CopyNamespace namespace(ObjectRef copy) {
      if (copy.namespace().isEmpty()) {
        return CopyNamespace.NOT_NEEDED;
      }
      ObjectRef ref = namespaceOf(copy);
      Optional<KubeObject> found = objects.find(ref);
      if (found.filter(namespace -> !namespace.deleting()).isEmpty()) {
        looked.add(ref);
      }
      return found
          .map(
              namespace -> namespace.deleting() ? CopyNamespace.TERMINATING : CopyNamespace.PRESENT)
          .orElse(isPrimaryNamespace(ref) ? CopyNamespace.PRESENT : CopyNamespace.ABSENT);
    }

    /** What the consumer may hide is there all the same. */
    private boolean isPrimaryNamespace(ObjectRef namespace) {
      return namespace.side() == Side.KCP && namespace.name().equals(owner.primary().namespace());
    }

    @Override
    public Provenance provenance(ObjectRef copy, KubeObject object) {
      return pendingCopies
          .contentOf(copy, object)
          .<Provenance>map(Provenance.CreatedHere::new)
          .orElseGet(Provenance.Unknown::new);
    }

    @Override
    public Provenance end(RelatedRecord record) {
      return pendingCopies.isDeleted(record.copy(), record.copyUid())
          ? new Provenance.RemovedHere()
          : new Provenance.Unknown();
    }

    @Override
    public List<RelatedRecord> records() {
      List<RelatedRecord> records = RelatedReader.this.records(entry, owner.primary());
      records.forEach(record -> looked.add(record.copy()));
      return records;
    }

    @Override
    public OtherOwners otherOwnersOfCopy(
        ObjectRef original, ObjectRef copy, Optional<RelatedRecord> own) {
      return registry.otherOwnersOfCopy(owner, original, copy, own);
    }

    @Override
    public OtherOwners otherOwnersOfOriginal(ObjectRef original) {
      return registry.otherOwnersOfOriginal(owner, original);
    }

    @Override
    public OtherAgents otherAgents(ObjectRef ref, KubeObject copy, Optional<RelatedRecord> own) {
      return registry.records().otherAgents(ref, copy, own);
    }

    @Override
    public Optional<Map<String, Object>> earlier(
        ObjectRef original, ObjectRef copy, KubeObject there) {
      return registry
          .earlier()
          .find(
              new StateKey(primary.apiVersion(), primary.kind(), owner.primary()),
              new StateKey(original.type().apiVersion(), originalKind, original.key()))
          .or(() -> underFormerIdentifier(original, copy, there));
    }

    /** What was brought to it for an entry that is there no longer, or is called otherwise now. */
    private Optional<Map<String, Object>> underFormerIdentifier(
        ObjectRef original, ObjectRef copy, KubeObject there) {
      return registry.records().ofCopy(copy).stream()
          .filter(record -> record.owner().primaryType().equals(primaryType))
          .filter(record -> record.owner().primary().equals(owner.primary()))
          .filter(record ->
              rules.entries().stream()
                  .noneMatch(known -> known.identifier().equals(record.owner().identifier())))
          .filter(record -> record.original().equals(original) && record.isMadeAs(there))
          .map(RelatedRecord::lastKnown)
          .findFirst();
    }

    @Override
    public Optional<KubeObject> emptiedWithout(RelatedRecord record) {
      ObjectRef copy = record.copy();
      if (rules.emptyNamespaces() == EmptyNamespaces.KEEP
          || copy.side() != Side.SERVICE
          || copy.namespace().isEmpty()) {
        return Optional.empty();
      }
      return objects
          .find(namespaceOf(copy))
          .filter(namespace -> !namespace.deleting())
          .filter(namespace ->
              registry.agentName().equals(namespace.labels().get(SyncMarks.NAMESPACE_OF)))
          .filter(namespace -> !holdsPrimaries.test(namespace.name()))
          .filter(namespace -> !registry.holdsOtherCopies(namespace.name(), record));
    }
  }
}
