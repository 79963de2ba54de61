package dev.mooring.syncagent.related;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.decide.ClaimVisibility;
import dev.mooring.syncagent.related.decide.CopySnapshot;
import dev.mooring.syncagent.related.decide.CopySnapshot.Provenance;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.OriginalFinalizers;
import dev.mooring.syncagent.related.decide.OtherAgents;
import dev.mooring.syncagent.related.decide.RecordOwner;
import dev.mooring.syncagent.related.decide.RelatedAnnotations;
import dev.mooring.syncagent.related.decide.RelatedPair;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedSet;
import dev.mooring.syncagent.related.decide.Resolution;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Gathers everything that the decisions about one entry of one primary are made on, and says
 * whether the caches for that are synced.
 */
record RelatedReader(RelatedSync sync, Primary primary, KubeClient workspace) {
  private RelatedSyncFactory shared() {
    return sync.shared;
  }

  /** What is recorded for the entry, in the versions that the entry names by now. */
  List<RelatedRecord> recordsOf(RelatedResource entry) {
    return shared().records.of(owner(entry), entry.types());
  }

  /** Throws {@link KubeFailure} if a type cannot be discovered. */
  RelatedSet readEntry(RelatedResource entry, Visibility visibility) {
    Resolution resolution = shared().caches.resolve(entry, primary, workspace);
    if (visibility.namespaces() instanceof ClaimVisibility.Partial(var why)) {
      resolution = resolution.unclear(ClaimVisibility.NARROWED, why);
    }
    Side origin = entry.origin();
    return gather(
        entry,
        visibility,
        shared().caches.type(origin, entry.originalType(), workspace).kind(),
        shared().caches.type(origin.other(), entry.copyType(), workspace),
        resolution);
  }

  /** What is recorded, where nothing is named: the primary was deleted, or the entry removed. */
  RelatedSet readRecorded(RelatedResource entry, Visibility visibility) {
    return gather(
        entry,
        visibility,
        // What is only removed needs no kind.
        entry.originalType().resource(),
        new RelatedCaches.TypeInfo(
            entry.copyType().resource(), Scope.NAMESPACED, StatusSubresource.ABSENT),
        Resolution.pending("no object is named"));
  }

  private RelatedSet gather(
      RelatedResource entry,
      Visibility visibility,
      String originalKind,
      RelatedCaches.TypeInfo copyType,
      Resolution resolution) {
    RecordOwner owner = owner(entry);
    var entryRules =
        new CopySnapshot.Rules(
            entry,
            copyType.kind(),
            copyType.status(),
            sync.rules.adoption(),
            OriginalFinalizers.of(shared().records.agentName()),
            visibility.objects(),
            sync.isResynced(primary.key())
                ? CopySnapshot.Comparison.CONTENTS
                : CopySnapshot.Comparison.CHANGES);
    return RelatedSet.gather(
        entry,
        primary.inKcp(),
        resolution,
        recordsOf(entry),
        (pair, record) -> readCopy(entryRules, owner, originalKind, pair, record));
  }

  private RecordOwner owner(RelatedResource entry) {
    return new RecordOwner(sync.primaryType, primary.key(), entry.identifier());
  }

  /** Entries that are recorded, or annotated, and no longer in {@code spec.related}. */
  List<RelatedResource> former() {
    var former = new TreeMap<String, RelatedResource>();
    RelatedAnnotations.identifiers(primary.inKcp())
        .forEach(identifier -> former.put(identifier, annotated(identifier)));
    former.putAll(recorded());
    sync.rules.entries().forEach(entry -> former.remove(entry.identifier()));
    return List.copyOf(former.values());
  }

  /** Entries of which anything is recorded, as they are now if they still exist. */
  List<RelatedResource> all() {
    var all = recorded();
    sync.rules.entries().forEach(entry -> all.replace(entry.identifier(), entry));
    return List.copyOf(all.values());
  }

  private TreeMap<String, RelatedResource> recorded() {
    var recorded = new TreeMap<String, RelatedResource>();
    for (RelatedRecord record : sync.records(primary.key())) {
      recorded.put(record.owner().identifier(), record.entry());
    }
    return recorded;
  }

  /** Of which only the annotation is left: no object of any type. */
  private static RelatedResource annotated(String identifier) {
    return RelatedResource.former(
        identifier,
        Side.SERVICE,
        new RelatedResource.Types(Clusters.NAMESPACES, Clusters.NAMESPACES));
  }

  /** By the entry's types, and those that are recorded for the primary. */
  boolean isSynced(RelatedResource entry) {
    Optional<URI> endpoint = sync.primaries.endpointOf(primary.key());
    return shared().caches.isSynced(entry, endpoint)
        && shared().records.isSynced()
        && recorded(entry)
            .allMatch(ref -> shared().caches.isSynced(ref.side(), ref.type(), endpoint));
  }

  /** By what is recorded alone, wherever the primary was. */
  boolean isSyncedAsRecorded(RelatedResource entry) {
    return shared().caches.isSynced(Side.SERVICE, Clusters.NAMESPACES)
        && shared().records.isSynced()
        && recorded(entry).allMatch(ref -> shared().caches.isSynced(ref.side(), ref.type()));
  }

  /** Why a cache cannot sync; empty if none reports a failure. */
  Optional<KubeFailure> failure(RelatedResource entry) {
    return Stream.of(Side.values())
        .flatMap(side -> shared().caches.lastFailure(side, entry.types().on(side)).stream())
        .findFirst()
        .or(() ->
            recorded(entry)
                .flatMap(ref -> shared().caches.lastFailure(ref.side(), ref.type()).stream())
                .findFirst())
        .or(shared().records::lastFailure);
  }

  /** Whether the server says that there is no such type. */
  boolean isNotServed(Side side, RelatedResource entry) {
    return shared()
        .caches
        .lastFailure(side, entry.types().on(side))
        .filter(failure -> failure.kind() == KubeFailure.Kind.NOT_SERVED)
        .isPresent();
  }

  private Stream<ObjectRef> recorded(RelatedResource entry) {
    return recordsOf(entry).stream().flatMap(record -> Stream.of(record.original(), record.copy()));
  }

  /** All that one decision about one copy is made on. */
  private CopySnapshot readCopy(
      CopySnapshot.Rules entryRules,
      RecordOwner owner,
      String originalKind,
      RelatedPair pair,
      Optional<RelatedRecord> record) {
    Optional<KubeObject> copy =
        sync.pendingCopies.newest(pair.copy(), () -> shared().caches.find(pair.copy()));
    ObjectRef recorded = record.map(RelatedRecord::original).orElse(pair.original());
    Optional<Map<String, Object>> earlierContent =
        copy.isPresent() && record.filter(RelatedRecord::isDone).isEmpty()
            ? ofOtherOwner(owner, pair, copy.get())
                .or(() -> ofGoAgent(originalKind, pair.original()))
            : Optional.empty();
    return new CopySnapshot(
        entryRules,
        owner,
        new CopySnapshot.Original(pair.original(), shared().caches.find(pair.original())),
        new CopySnapshot.Copy(
            pair.copy(), copy, namespace(pair.copy()), provenance(pair.copy(), copy, record)),
        new CopySnapshot.Known(
            record,
            recorded.equals(pair.original()) ? Optional.empty() : shared().caches.find(recorded),
            copy.isEmpty() ? record.flatMap(this::emptyNamespace) : Optional.empty(),
            earlierContent),
        new CopySnapshot.Sharers(
            shared().otherOwnersOfCopy(owner, pair, record),
            shared().heirOfCopy(owner, pair),
            shared().otherOwnersOfOriginal(owner, recorded),
            copy.map(object -> shared().records.otherAgents(pair.copy(), object, record))
                .orElse(OtherAgents.NONE)));
  }

  private CopyNamespace namespace(ObjectRef copy) {
    if (copy.namespace().isEmpty()) {
      return CopyNamespace.NOT_NEEDED;
    }
    return shared()
        .caches
        .find(copy.namespaceRef())
        .map(CopyNamespace::of)
        .orElseGet(() ->
            // The primary's own exists even where the consumer hides Namespaces.
            copy.side() == Side.KCP && copy.namespace().equals(primary.key().namespace())
                ? CopyNamespace.PRESENT
                : CopyNamespace.ABSENT);
  }

  private Provenance provenance(
      ObjectRef ref, Optional<KubeObject> copy, Optional<RelatedRecord> record) {
    if (copy.isPresent()) {
      return sync.pendingCopies
          .contentOf(ref, copy.get())
          .<Provenance>map(Provenance.CreatedHere::new)
          .orElseGet(Provenance.Unknown::new);
    }
    return record.filter(known -> sync.pendingCopies.isDeleted(ref, known.copyUid())).isPresent()
        ? new Provenance.RemovedHere()
        : new Provenance.Unknown();
  }

  /** Content of the original that the Go agent last wrote to the copy. */
  private Optional<Map<String, Object>> ofGoAgent(String originalKind, ObjectRef original) {
    KubeObject inKcp = primary.inKcp();
    return shared()
        .earlier
        .find(
            new StateKey(inKcp.apiVersion(), inKcp.kind(), primary.key()),
            new StateKey(original.type().apiVersion(), originalKind, original.key()));
  }

  /** Content that was written to the copy for another primary, or a removed or renamed entry. */
  private Optional<Map<String, Object>> ofOtherOwner(
      RecordOwner owner, RelatedPair pair, KubeObject copy) {
    return shared().records.ofCopy(pair.copy()).stream()
        .filter(record -> !record.owner().equals(owner))
        .filter(record -> record.original().equals(pair.original()) && record.isMadeAs(copy))
        .map(RelatedRecord::lastKnown)
        .findFirst();
  }

  /** The copy's Namespace, if the agent created it and nothing but this record keeps it. */
  private Optional<KubeObject> emptyNamespace(RelatedRecord record) {
    ObjectRef copy = record.copy();
    if (sync.rules.emptyNamespaces() == EmptyNamespaces.KEEP
        || copy.side() != Side.SERVICE
        || copy.namespace().isEmpty()) {
      return Optional.empty();
    }
    return shared()
        .caches
        .find(copy.namespaceRef())
        .filter(namespace -> !namespace.deleting())
        .filter(namespace ->
            shared().records.agentName().equals(namespace.labels().get(SyncMarks.NAMESPACE_OF)))
        .filter(namespace -> !sync.copies.areIn(namespace.name()))
        .filter(namespace -> !shared().records.holdsOtherCopies(namespace.name(), record));
  }
}
