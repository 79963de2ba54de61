package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.StateKey;
import dev.mooring.syncagent.fleet.ConsumerView;
import dev.mooring.syncagent.published.Locator;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Origin;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.RelatedIndex.Area;
import dev.mooring.syncagent.related.RelatedIndex.Looked;
import dev.mooring.syncagent.related.RelatedIndex.Search;
import dev.mooring.syncagent.related.decide.Holder;
import dev.mooring.syncagent.related.decide.OriginalHold;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedGathering;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedResolver;
import dev.mooring.syncagent.related.decide.RelatedSet;
import dev.mooring.syncagent.related.decide.RelatedSnapshot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.CopyNamespace;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Elsewhere;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Provenance;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sight;
import dev.mooring.syncagent.related.decide.Sightings;
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
final class RelatedReader {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final RelatedRegistry registry;
  private final RelatedObjects objects;
  private final OwnCopies ownCopies;
  private final RelatedReconciler.Rules rules;
  private final String primaryType;
  private final Predicate<String> holdsPrimaries;

  /**
   * @param holdsPrimaries whether a Namespace of the service cluster has copies of primaries
   */
  RelatedReader(
      RelatedRegistry registry,
      OwnCopies ownCopies,
      RelatedReconciler.Rules rules,
      Predicate<String> holdsPrimaries) {
    this.registry = registry;
    this.objects = registry.objects();
    this.ownCopies = ownCopies;
    this.rules = rules;
    this.primaryType = rules.primaryType().qualified();
    this.holdsPrimaries = holdsPrimaries;
  }

  /**
   * A primary on both sides.
   *
   * @param onService empty before the copy is made and after it is gone
   * @param path of the workspace, where asked for
   */
  record Seen(
      ObjectKey key, KubeObject inKcp, Optional<KubeObject> onService, Optional<String> path) {}

  /** What a pass over an entry works on. */
  record Gathered(RelatedSet set, Resolution resolution, Looked looked) {}

  Holder holder(RelatedResource entry, ObjectKey primary) {
    return new Holder(primaryType, primary, entry.identifier());
  }

  /** Lists take a while: so that they are there with the first object. */
  void open(RelatedResource entry) {
    registry.records();
    for (Side side : Side.values()) {
      objects.open(side, entry.types().on(side));
      objects.open(side, NAMESPACES);
    }
  }

  /** Whether everything that decisions about the entry need has been listed. */
  boolean isSynced(RelatedResource entry, Optional<URI> endpoint) {
    return objects.isSyncedInKcp(entry.types().inKcp(), endpoint)
        && objects.isSyncedInKcp(NAMESPACES, endpoint)
        && objects.isSyncedOnService(entry.types().onService())
        && objects.isSyncedOnService(NAMESPACES)
        && registry.records().isSynced();
  }

  /** As {@link #isSynced(RelatedResource, Optional)}, with what is recorded of other types. */
  boolean isSynced(RelatedResource entry, ObjectKey primary, Optional<URI> endpoint) {
    return isSynced(entry, endpoint)
        && spots(entry, primary)
            .allMatch(spot ->
                switch (spot.side()) {
                  case SERVICE -> objects.isSyncedOnService(spot.type());
                  case KCP -> objects.isSyncedInKcp(spot.type(), endpoint);
                });
  }

  /** Whether what is recorded has been listed, wherever the primary was. */
  boolean isSynced(RelatedResource entry, ObjectKey primary) {
    return objects.isSyncedOnService(NAMESPACES)
        && registry.records().isSynced()
        && spots(entry, primary)
            .allMatch(spot ->
                switch (spot.side()) {
                  case SERVICE -> objects.isSyncedOnService(spot.type());
                  case KCP -> objects.isSyncedInKcp(spot.type());
                });
  }

  /**
   * Why what {@link #isSynced} asks for cannot be listed; empty if nothing is known to be wrong.
   */
  Optional<KubeFailure> failure(RelatedResource entry, ObjectKey primary) {
    return failure(entry)
        .or(() ->
            spots(entry, primary)
                .flatMap(spot -> objects.lastFailure(spot.side(), spot.type()).stream())
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
  boolean isOfNoType(RelatedResource entry, ObjectKey primary, KubeClient workspace) {
    return records(entry, primary).isEmpty()
        && (isNotServed(Side.SERVICE, entry)
            || isNotServed(Side.KCP, entry)
                && RelatedClaims.isUnserved(workspace, entry.types().inKcp()));
  }

  private boolean isNotServed(Side side, RelatedResource entry) {
    return objects
        .lastFailure(side, entry.types().on(side))
        .filter(failure -> failure.kind() == KubeFailure.Kind.NOT_SERVED)
        .isPresent();
  }

  /** What is recorded for the entry, as it is read by now. */
  List<RelatedRecord> records(RelatedResource entry, ObjectKey primary) {
    return registry.records().of(holder(entry, primary)).stream()
        .map(record -> record.readAs(entry.types()))
        .toList();
  }

  private Stream<Spot> spots(RelatedResource entry, ObjectKey primary) {
    return records(entry, primary).stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()));
  }

  /**
   * What is left of entries that are no longer there: by their records, and the notes on the
   * primary.
   *
   * @param primary in kcp
   */
  List<RelatedResource> former(ObjectKey key, KubeObject primary) {
    Set<String> current =
        rules.entries().stream().map(RelatedResource::identifier).collect(Collectors.toSet());
    var former = new TreeMap<String, RelatedResource>();
    RelatedGathering.noted(primary)
        .forEach(identifier -> former.put(identifier, noted(identifier)));
    for (RelatedRecord record : registry.records().ofPrimary(primaryType, key)) {
      former.put(record.holder().identifier(), record.entry());
    }
    former.keySet().removeAll(current);
    return List.copyOf(former.values());
  }

  /** Entries of which something is recorded, as they are, or as they were. */
  List<RelatedResource> recorded(ObjectKey key) {
    var recorded = new TreeMap<String, RelatedResource>();
    for (RelatedRecord record : registry.records().ofPrimary(primaryType, key)) {
      recorded.put(record.holder().identifier(), record.entry());
    }
    rules.entries().forEach(entry -> recorded.replace(entry.identifier(), entry));
    return List.copyOf(recorded.values());
  }

  /** Of which nothing but the note is left: no object of any type. */
  private static RelatedResource noted(String identifier) {
    return RelatedResource.former(
        identifier, Origin.SERVICE, new RelatedResource.Types(NAMESPACES, NAMESPACES));
  }

  /** A primary of which nothing but its name is known any more. */
  Seen gone(ObjectKey key) {
    var metadata = new HashMap<String, Object>();
    metadata.put("name", key.name());
    metadata.put("deletionTimestamp", "unknown");
    if (!key.namespace().isEmpty()) {
      metadata.put("namespace", key.namespace());
    }
    return new Seen(
        key, KubeObject.of(Map.of("metadata", metadata)), Optional.empty(), Optional.empty());
  }

  /**
   * A client for the workspace of a primary that is gone: by the endpoint that shows what is
   * recorded of it there, or any if none does; empty if there is none.
   */
  Optional<KubeClient> workspaceOf(ObjectKey primary, ConsumerView primaries) {
    return registry.records().ofPrimary(primaryType, primary).stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()))
        .flatMap(spot -> objects.clientFor(spot).stream())
        .findFirst()
        .or(() -> primaries.clientsFor(primary.cluster()).stream().findFirst());
  }

  /**
   * The types in kcp of which the consumer must hide nothing.
   *
   * @param primary beside which something may be recorded of further types
   */
  Set<ResourceType> typesInKcp(RelatedResource entry, ObjectKey primary) {
    return Stream.concat(
            Stream.of(entry.types().inKcp()),
            spots(entry, primary).filter(spot -> spot.side() == Side.KCP).map(Spot::type))
        .collect(Collectors.toSet());
  }

  /** Whether Namespaces in kcp decide which objects the entry means. */
  static boolean selectsNamespaces(RelatedResource entry) {
    return entry.origin() == Origin.KCP
        && entry.namespace().filter(Locator.Selector.class::isInstance).isPresent();
  }

  /**
   * What is recorded, where nothing is called for: the primary is gone, or the entry is.
   *
   * @param sight of the types in kcp
   */
  Gathered gatherRecorded(RelatedResource entry, Seen seen, Sight sight) {
    var resolution =
        new Resolution(List.of(), Set.of(), new Resolution.Outcome.NotYet("nothing is called for"));
    var entryRules =
        new RelatedSnapshot.Rules(
            entry,
            // What is only removed needs no kind.
            entry.copyType().resource(),
            StatusSubresource.ABSENT,
            rules.adoption(),
            OriginalHold.of(registry.agentName()),
            sight);
    Holder holder = holder(entry, seen.key());
    var sightings = new Cached(entry, seen, entry.originalType().resource());
    RelatedSet set =
        new RelatedGathering(entryRules, holder, seen.inKcp(), sightings).gather(resolution);
    return new Gathered(set, resolution, new Looked(sightings.looked, Set.of()));
  }

  /** Which objects the entry means; nothing while there is no copy of the primary. */
  Resolution resolve(RelatedResource entry, Seen seen, KubeClient workspace) {
    if (seen.onService().isEmpty()) {
      return new Resolution(
          List.of(), Set.of(), new Resolution.Outcome.NotYet("the primary has no copy"));
    }
    Side origin = entry.origin().side();
    return RelatedResolver.resolve(
        entry,
        new Primaries(seen.key().cluster(), seen.path(), seen.inKcp(), seen.onService().get()),
        new RelatedResolver.Scopes(
            registry.facts(origin, entry.originalType(), workspace).scope(),
            registry.facts(origin.other(), entry.copyType(), workspace).scope()),
        objects.candidates(origin, entry.originalType(), seen.key().cluster()));
  }

  /**
   * @param sight of the types in kcp
   * @param ofNamespaces in kcp, where they are selected
   * @throws KubeFailure if a type cannot be looked up
   */
  Gathered gather(
      RelatedResource entry, Seen seen, Sight sight, Sight ofNamespaces, KubeClient workspace) {
    Resolution resolution = resolve(entry, seen, workspace).within(ofNamespaces);
    TypeDirectory.Facts copyFacts =
        registry.facts(entry.origin().side().other(), entry.copyType(), workspace);
    var entryRules =
        new RelatedSnapshot.Rules(
            entry,
            copyFacts.kind(),
            copyFacts.status(),
            rules.adoption(),
            OriginalHold.of(registry.agentName()),
            sight);
    Holder holder = holder(entry, seen.key());
    var sightings =
        new Cached(
            entry,
            seen,
            registry.facts(entry.origin().side(), entry.originalType(), workspace).kind());
    RelatedSet set =
        new RelatedGathering(entryRules, holder, seen.inKcp(), sightings).gather(resolution);
    return new Gathered(
        set, resolution, new Looked(sightings.looked, searches(entry, seen, resolution)));
  }

  private static Spot namespaceOf(Spot copy) {
    return new Spot(
        copy.side(), NAMESPACES, copy.cluster(), new Place("", copy.place().namespace()));
  }

  private static Set<Search> searches(RelatedResource entry, Seen seen, Resolution resolution) {
    Side origin = entry.origin().side();
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
    private final Holder holder;
    private final KubeObject primary;
    private final String originalKind;
    private final Set<Spot> looked = new HashSet<>();

    /**
     * @param originalKind of the entry's originals
     */
    Cached(RelatedResource entry, Seen seen, String originalKind) {
      this.entry = entry;
      this.holder = holder(entry, seen.key());
      this.primary = seen.inKcp();
      this.originalKind = originalKind;
    }

    @Override
    public Optional<KubeObject> original(Spot spot) {
      looked.add(spot);
      return objects.find(spot);
    }

    @Override
    public Optional<KubeObject> copy(Spot spot) {
      looked.add(spot);
      return ownCopies.newest(spot, objects.find(spot));
    }

    @Override
    public CopyNamespace namespace(Spot copy) {
      if (copy.place().namespace().isEmpty()) {
        return CopyNamespace.NOT_NEEDED;
      }
      Spot spot = namespaceOf(copy);
      Optional<KubeObject> found = objects.find(spot);
      if (found.filter(namespace -> !namespace.deleting()).isEmpty()) {
        looked.add(spot);
      }
      return found
          .map(
              namespace -> namespace.deleting() ? CopyNamespace.TERMINATING : CopyNamespace.PRESENT)
          .orElse(isPrimarys(spot) ? CopyNamespace.PRESENT : CopyNamespace.ABSENT);
    }

    /** What the consumer may hide is there all the same. */
    private boolean isPrimarys(Spot namespace) {
      return namespace.side() == Side.KCP
          && namespace.place().name().equals(holder.primary().namespace());
    }

    @Override
    public Provenance provenance(Spot copy, KubeObject object) {
      return ownCopies
          .contentOf(copy, object)
          .<Provenance>map(Provenance.CreatedHere::new)
          .orElseGet(Provenance.Unknown::new);
    }

    @Override
    public Provenance end(RelatedRecord record) {
      return ownCopies.isDeleted(record.copy(), record.copyUid())
          ? new Provenance.RemovedHere()
          : new Provenance.Unknown();
    }

    @Override
    public List<RelatedRecord> records() {
      List<RelatedRecord> records = RelatedReader.this.records(entry, holder.primary());
      records.forEach(record -> looked.add(record.copy()));
      return records;
    }

    @Override
    public Others othersOfCopy(Spot original, Spot copy, Optional<RelatedRecord> own) {
      return registry.othersOfCopy(holder, original, copy, own);
    }

    @Override
    public Others othersOfOriginal(Spot original) {
      return registry.othersOfOriginal(holder, original);
    }

    @Override
    public Elsewhere elsewhere(Spot spot, KubeObject copy, Optional<RelatedRecord> own) {
      return registry.records().elsewhere(spot, copy, own);
    }

    @Override
    public Optional<Map<String, Object>> earlier(Spot original, Spot copy, KubeObject there) {
      return registry
          .earlier()
          .find(
              new StateKey(primary.apiVersion(), primary.kind(), holder.primary()),
              new StateKey(original.type().apiVersion(), originalKind, original.key()))
          .or(() -> underAnotherName(original, copy, there));
    }

    /** What was brought to it for an entry that is there no longer, or is called otherwise now. */
    private Optional<Map<String, Object>> underAnotherName(
        Spot original, Spot copy, KubeObject there) {
      return registry.records().ofCopy(copy).stream()
          .filter(record -> record.holder().primaryType().equals(primaryType))
          .filter(record -> record.holder().primary().equals(holder.primary()))
          .filter(record ->
              rules.entries().stream()
                  .noneMatch(known -> known.identifier().equals(record.holder().identifier())))
          .filter(record -> record.original().equals(original) && record.isMadeAs(there))
          .map(RelatedRecord::lastKnown)
          .findFirst();
    }

    @Override
    public Optional<KubeObject> emptiedWithout(RelatedRecord record) {
      Spot copy = record.copy();
      if (rules.emptyNamespaces() == EmptyNamespaces.KEEP
          || copy.side() != Side.SERVICE
          || copy.place().namespace().isEmpty()) {
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
