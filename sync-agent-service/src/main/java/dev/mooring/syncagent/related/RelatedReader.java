package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.Locator;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.model.published.RelatedResource.Origin;
import dev.mooring.model.published.template.TemplateFailure;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.fleet.ConsumerObjects;
import dev.mooring.syncagent.fleet.SharedWatches;
import dev.mooring.syncagent.fleet.SharedWatches.Side;
import dev.mooring.syncagent.related.RelatedIndex.Target;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedSnapshot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.CopyNamespace;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Sharing;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Gathers what a decision about one related object needs, from caches alone. */
final class RelatedReader {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final SharedWatches watches;
  private final ConsumerObjects primaries;
  private final RelatedStore store;
  private final String agentName;
  private final Adoption adoption;

  RelatedReader(
      SharedWatches watches,
      ConsumerObjects primaries,
      RelatedStore store,
      String agentName,
      Adoption adoption) {
    this.watches = watches;
    this.primaries = primaries;
    this.store = store;
    this.agentName = agentName;
    this.adoption = adoption;
  }

  /** A primary on both sides; the copy is empty before it is made and after it is gone. */
  record Primaries(ObjectKey key, KubeObject inKcp, Optional<KubeObject> onService) {}

  /** Throws {@link TemplateFailure} if a template or reference cannot work on these primaries. */
  RelatedSnapshot read(RelatedResource entry, Primaries seen) {
    LogicalCluster cluster = seen.key().cluster();
    Optional<Place> inKcp = place(entry, Locator.Side.KCP, seen.inKcp(), cluster);
    Optional<Place> onService =
        seen.onService().flatMap(copy -> place(entry, Locator.Side.SERVICE, copy, cluster));
    boolean fromService = entry.origin() == Origin.SERVICE;
    Optional<Place> originalPlace = fromService ? onService : inKcp;
    Optional<Place> copyPlace = fromService ? inKcp : onService;
    Side originSide = fromService ? Side.SERVICE : Side.KCP;
    Side copySide = fromService ? Side.KCP : Side.SERVICE;
    Optional<RelatedRecord> record = store.find(seen.key(), entry.identifier());
    return new RelatedSnapshot(
        entry,
        seen.inKcp(),
        originalPlace.flatMap(at -> find(originSide, entry.type(), cluster, at)),
        copyPlace,
        copyPlace.flatMap(at -> find(copySide, entry.type(), cluster, at)),
        record,
        record.flatMap(known -> find(copySide, known.type(), cluster, known.place())),
        namespace(copySide, cluster, copyPlace),
        fromService
            ? Optional.empty()
            : originalPlace.map(at ->
                new SourceMarks(
                    new ObjectKey(cluster, at.namespace(), at.name()),
                    agentName,
                    Optional.empty())),
        seen.inKcp().annotation(RelatedExecutor.noteKey(entry)),
        inKcp.map(at -> sharing(entry, seen.key(), at)).orElse(Sharing.SOLE),
        adoption);
  }

  /** What the primary's entry looks at, whether it exists or not. */
  Set<Target> targets(RelatedResource entry, Primaries seen) {
    LogicalCluster cluster = seen.key().cluster();
    var targets = new LinkedHashSet<Target>();
    place(entry, Locator.Side.KCP, seen.inKcp(), cluster)
        .ifPresent(at -> targets.add(new Target(Side.KCP, entry.type(), cluster, at)));
    seen.onService()
        .flatMap(copy -> place(entry, Locator.Side.SERVICE, copy, cluster))
        .ifPresent(
            at -> targets.add(new Target(Side.SERVICE, entry.type(), LogicalCluster.NONE, at)));
    Side copySide = entry.origin() == Origin.SERVICE ? Side.KCP : Side.SERVICE;
    store
        .find(seen.key(), entry.identifier())
        .ifPresent(known ->
            targets.add(
                new Target(
                    copySide,
                    known.type(),
                    copySide == Side.KCP ? cluster : LogicalCluster.NONE,
                    known.place())));
    return targets;
  }

  private static Optional<Place> place(
      RelatedResource entry, Locator.Side side, KubeObject primary, LogicalCluster cluster) {
    Optional<String> name = entry.name().locate(side, primary, cluster, Optional.empty());
    Optional<String> namespace =
        entry
            .namespace()
            .map(locator -> locator.locate(side, primary, cluster, Optional.empty()))
            .orElse(Optional.of(primary.namespace()));
    return name.flatMap(n -> namespace.map(ns -> new Place(ns, n)));
  }

  private Optional<KubeObject> find(
      Side side, ResourceType type, LogicalCluster cluster, Place place) {
    return switch (side) {
      case SERVICE -> watches.onService(type).find(place.namespace(), place.name());
      case KCP -> watches.inKcp(type).find(new ObjectKey(cluster, place.namespace(), place.name()));
    };
  }

  private CopyNamespace namespace(Side side, LogicalCluster cluster, Optional<Place> place) {
    if (place.isEmpty() || place.get().namespace().isEmpty()) {
      return CopyNamespace.NOT_NEEDED;
    }
    return find(side, NAMESPACES, cluster, new Place("", place.get().namespace()))
        .map(namespace -> namespace.deleting() ? CopyNamespace.TERMINATING : CopyNamespace.PRESENT)
        .orElse(CopyNamespace.ABSENT);
  }

  /** Derived from the caches each time: a remembered count would be wrong after a restart. */
  private Sharing sharing(RelatedResource entry, ObjectKey primary, Place place) {
    return primaries.keys().stream()
            .filter(other -> other.cluster().equals(primary.cluster()) && !other.equals(primary))
            .flatMap(other -> primaries.find(other).stream())
            .filter(other -> !other.deleting())
            .anyMatch(other -> names(entry, other, primary.cluster(), place))
        ? Sharing.SHARED
        : Sharing.SOLE;
  }

  private static boolean names(
      RelatedResource entry, KubeObject primary, LogicalCluster cluster, Place place) {
    try {
      return place(entry, Locator.Side.KCP, primary, cluster).equals(Optional.of(place));
    } catch (TemplateFailure e) {
      return false;
    }
  }
}
