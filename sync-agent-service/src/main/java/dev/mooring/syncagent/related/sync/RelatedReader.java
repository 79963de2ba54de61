package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.EntryReadiness;
import dev.mooring.syncagent.related.resolve.Primary;
import dev.mooring.syncagent.related.resolve.ReadSetIndex;
import dev.mooring.syncagent.related.resolve.RelatedCaches;
import dev.mooring.syncagent.related.resolve.TypeDiscovery;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot;
import dev.mooring.syncagent.related.sync.decide.OriginalFinalizers;
import dev.mooring.syncagent.related.sync.decide.RelatedAnnotations;
import dev.mooring.syncagent.related.sync.decide.RelatedFacts;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Gathers everything that the decisions about one entry and primary are made on. Thread-safe.
 *
 * @param resynced whether contents of this primary's copies are compared
 */
record RelatedReader(
    RelatedRules rules,
    RelatedCaches caches,
    RelatedRecordStore records,
    CopyReader copies,
    EntryReadiness readiness,
    PermissionClaims claims,
    ReadSetIndex index,
    Predicate<ObjectKey> resynced) {
  /** What is recorded for the entry, in the versions that the entry names by now. */
  List<RelatedRecord> records(RelatedResource entry, ObjectKey primary) {
    return records.of(owner(entry, primary), entry.types());
  }

  /** Throws {@link KubeFailure} if a type cannot be discovered. */
  RelatedFacts gather(
      RelatedResource entry, Primary primary, Visibility visibility, KubeClient workspace) {
    Resolution resolution = caches.resolve(entry, primary, workspace);
    if (visibility.namespaces() instanceof ClaimVisibility.Partial(var why)) {
      resolution = resolution.unclear(ClaimVisibility.NARROWED, why);
    }
    Side origin = entry.origin();
    TypeDiscovery.TypeInfo copyType = caches.type(origin.other(), entry.copyType(), workspace);
    return gather(
        rules(entry, primary.key(), copyType.kind(), copyType.status(), visibility),
        primary,
        caches.type(origin, entry.originalType(), workspace).kind(),
        resolution);
  }

  /** What is recorded, where nothing is named: the primary was deleted, or the entry removed. */
  RelatedFacts gatherRecorded(RelatedResource entry, Primary primary, Visibility visibility) {
    return gather(
        // What is only removed needs no kind.
        rules(
            entry,
            primary.key(),
            entry.copyType().resource(),
            StatusSubresource.ABSENT,
            visibility),
        primary,
        entry.originalType().resource(),
        new Resolution(List.of(), Set.of(), new Resolution.Outcome.Pending("no object is named")));
  }

  private RelatedFacts gather(
      CopySnapshot.Rules entryRules, Primary primary, String originalKind, Resolution resolution) {
    RelatedResource entry = entryRules.entry();
    RecordOwner owner = owner(entry, primary.key());
    return RelatedFacts.gather(
        entry,
        owner,
        primary.inKcp(),
        resolution,
        records(entry, primary.key()),
        subject -> copies.read(entryRules, owner, primary.inKcp(), originalKind, subject));
  }

  private CopySnapshot.Rules rules(
      RelatedResource entry,
      ObjectKey primary,
      String copyKind,
      StatusSubresource status,
      Visibility visibility) {
    return new CopySnapshot.Rules(
        entry,
        copyKind,
        status,
        rules.adoption(),
        OriginalFinalizers.of(records.agentName()),
        visibility.objects(),
        resynced.test(primary)
            ? CopySnapshot.Comparison.CONTENTS
            : CopySnapshot.Comparison.CHANGES);
  }

  private RecordOwner owner(RelatedResource entry, ObjectKey primary) {
    return new RecordOwner(rules.primaryType().qualified(), primary, entry.identifier());
  }

  /**
   * Entries that are recorded, or annotated, and no longer in {@code spec.related}.
   *
   * @param primary in kcp
   */
  List<RelatedResource> former(ObjectKey key, KubeObject primary) {
    var former = new TreeMap<String, RelatedResource>();
    RelatedAnnotations.identifiers(primary)
        .forEach(identifier -> former.put(identifier, annotated(identifier)));
    former.putAll(recorded(key));
    rules.entries().forEach(entry -> former.remove(entry.identifier()));
    return List.copyOf(former.values());
  }

  /** Entries of which anything is recorded, as they are now if they still exist. */
  List<RelatedResource> all(ObjectKey key) {
    var all = recorded(key);
    rules.entries().forEach(entry -> all.replace(entry.identifier(), entry));
    return List.copyOf(all.values());
  }

  private TreeMap<String, RelatedResource> recorded(ObjectKey key) {
    var recorded = new TreeMap<String, RelatedResource>();
    for (RelatedRecord record : records.ofPrimary(rules.primaryType().qualified(), key)) {
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
}
