package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Primaries;
import dev.mooring.model.published.Primaries.Side;
import dev.mooring.model.published.ProjectedSchema.StatusSubresource;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.model.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.content.StateKey;
import dev.mooring.syncagent.fleet.ConsumerView;
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
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Others;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Provenance;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sightings;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** As {@link #isSynced(RelatedResource, Optional)}, wherever the primary was. */
  boolean isSynced(RelatedResource entry) {
    return objects.isSyncedInKcp(entry.types().inKcp())
        && objects.isSyncedOnService(entry.types().onService())
        && objects.isSyncedOnService(NAMESPACES)
        && registry.records().isSynced();
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
  Optional<KubeClient> workspaceOf(
      RelatedResource entry, ObjectKey primary, ConsumerView primaries) {
    return registry.records().of(holder(entry, primary)).stream()
        .flatMap(record -> Stream.of(record.original(), record.copy()))
        .flatMap(spot -> objects.clientFor(spot).stream())
        .findFirst()
        .or(() -> primaries.clientsFor(primary.cluster()).stream().findFirst());
  }

  /** What is recorded beside a primary that is gone. */
  Gathered gatherRecorded(RelatedResource entry, Seen gone) {
    var resolution =
        new Resolution(
            List.of(), Set.of(), new Resolution.Outcome.NotYet("the primary does not exist"));
    var entryRules =
        new RelatedSnapshot.Rules(
            entry,
            // What is only removed needs no kind.
            entry.copyType().resource(),
            StatusSubresource.ABSENT,
            rules.adoption(),
            OriginalHold.of(registry.agentName()));
    Holder holder = holder(entry, gone.key());
    var sightings = new Cached(holder, gone.inKcp(), entry.originalType().resource());
    RelatedSet set =
        new RelatedGathering(entryRules, holder, gone.inKcp(), sightings).gather(resolution);
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

  /** Throws {@link dev.mooring.runtime.client.KubeFailure} if a type cannot be looked up. */
  Gathered gather(RelatedResource entry, Seen seen, KubeClient workspace) {
    Resolution resolution = resolve(entry, seen, workspace);
    TypeDirectory.Facts copyFacts =
        registry.facts(entry.origin().side().other(), entry.copyType(), workspace);
    var entryRules =
        new RelatedSnapshot.Rules(
            entry,
            copyFacts.kind(),
            copyFacts.status(),
            rules.adoption(),
            OriginalHold.of(registry.agentName()));
    Holder holder = holder(entry, seen.key());
    var sightings =
        new Cached(
            holder,
            seen.inKcp(),
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
    private final Holder holder;
    private final KubeObject primary;
    private final String originalKind;
    private final Set<Spot> looked = new HashSet<>();

    /**
     * @param primary in kcp
     * @param originalKind of the entry's originals
     */
    Cached(Holder holder, KubeObject primary, String originalKind) {
      this.holder = holder;
      this.primary = primary;
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
          .orElse(CopyNamespace.ABSENT);
    }

    @Override
    public Provenance provenance(Spot copy, KubeObject object) {
      return ownCopies
          .contentOf(copy, object)
          .<Provenance>map(Provenance.CreatedHere::new)
          .orElseGet(Provenance.Unknown::new);
    }

    @Override
    public List<RelatedRecord> records() {
      List<RelatedRecord> records = registry.records().of(holder);
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
    public Optional<Map<String, Object>> earlier(Spot original) {
      return registry
          .earlier()
          .find(
              new StateKey(primary.apiVersion(), primary.kind(), holder.primary()),
              new StateKey(original.type().apiVersion(), originalKind, original.key()));
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
